import { LineSplitter } from './split-lines.ts'

/** A server's stderr: every line is handed on, the last ones are kept for the report of its death. */
export class StderrRing {
  readonly #kept: string[] = []
  readonly #splitter: LineSplitter

  /** `size` is how many lines are kept; 0 keeps none. */
  constructor(size: number, onLine: (line: string) => void) {
    const take = (text: string): void => {
      const line = text.endsWith('\r') ? text.slice(0, -1) : text
      // A blank line says nothing in a report, where it would push out one that does.
      if (line.trim() !== '' && this.#kept.push(line) > size) this.#kept.shift()
      onLine(line)
    }
    this.#splitter = new LineSplitter({
      maxBytes: maxLineBytes,
      headBytes: maxLineBytes,
      tailBytes: 0,
      onLine: take,
      onOversize: (head) => take(`${head.toString()}…`),
    })
  }

  push(chunk: Buffer): void {
    this.#splitter.push(chunk)
  }

  /** stderr ended: what stands there without a newline is a line too. */
  end(): void {
    this.#splitter.end()
  }

  /** The last lines that are not blank, oldest first. */
  tail(): readonly string[] {
    return [...this.#kept]
  }
}

/** stderr is for people: a longer line is cut, so that a server that never writes a newline costs no memory. */
const maxLineBytes = 8 * 1024
