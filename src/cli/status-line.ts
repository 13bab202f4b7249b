import type { Sink } from './io.ts'

/** The last line of a terminal, which is overwritten while other lines scroll by above it. */
export class StatusLine {
  readonly #sink: Sink
  #shown = ''

  constructor(sink: Sink) {
    this.#sink = sink
  }

  show(text: string): void {
    this.#sink.write(`${clear}${text}`)
    this.#shown = text
  }

  /** Writes a line above. */
  write(line: string): void {
    this.#sink.write(this.#shown === '' ? `${line}\n` : `${clear}${line}\n${this.#shown}`)
  }

  end(): void {
    if (this.#shown !== '') this.#sink.write(clear)
    this.#shown = ''
  }
}

const clear = '\r\u001b[K'
