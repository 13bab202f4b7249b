import type { HidingIo } from '../hiding-io.ts'
import type { Sink } from '../io.ts'

/** Output that waits while a question is on the terminal: neither tears the other. */
export class HeldOutput {
  /** What is to be written through. */
  readonly io: HidingIo
  /** What waits; undefined while nothing has to. */
  #waiting: (() => void)[] | undefined
  #leftOut = 0

  constructor(io: HidingIo) {
    this.io = { ...io, out: this.#held(io.out), err: this.#held(io.err) }
  }

  /** One question at a time. */
  async during<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    // A bar may stand there.
    if (this.io.err.isTerminal) this.io.err.write('\r\u001b[K')
    this.#waiting = []
    try {
      return await ask()
    } finally {
      this.#release()
    }
  }

  #release(): void {
    const waiting = this.#waiting ?? []
    const leftOut = this.#leftOut
    this.#waiting = undefined
    this.#leftOut = 0
    for (const write of waiting) write()
    if (leftOut > 0) this.io.err.write(`… ${leftOut} more lines came while you were asked\n`)
  }

  #held(sink: Sink): Sink {
    const write = (chunk: string | Uint8Array) => {
      if (!this.#waiting) sink.write(chunk)
      else if (this.#waiting.length < mostWaiting) this.#waiting.push(() => sink.write(chunk))
      else this.#leftOut += 1
    }
    return Object.create(sink, { write: { value: write } })
  }
}

const mostWaiting = 1000
