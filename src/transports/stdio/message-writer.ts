import type { Writable } from 'node:stream'

/**
 * Writes messages to a server's stdin, those of one turn in one write. Never throws and never waits: a dead pipe is
 * reported by the end of its process. A server that does not read makes this grow by what callers send and no more:
 * each waiting call has a budget, and the process's end frees it all. Answers to the server's own questions, of which it may
 * ask any number, are not taken any more once so much waits.
 */
export class MessageWriter {
  readonly #stdin: Writable
  #queue: string[] = []

  constructor(stdin: Writable) {
    this.#stdin = stdin
  }

  /** False when it was not taken. */
  answer(text: string): boolean {
    if (this.#stdin.writableLength > mostWaitingBytes) return false
    this.send(text)
    return true
  }

  send(text: string): void {
    if (this.#queue.push(text) === 1) process.nextTick(this.#flush)
  }

  /** What was sent goes out first. */
  end(): void {
    this.#flush()
    this.#stdin.end()
  }

  readonly #flush = (): void => {
    const texts = this.#queue
    if (texts.length === 0) return
    this.#queue = []
    if (this.#stdin.writable) this.#stdin.write(`${texts.join('\n')}\n`)
  }
}

const mostWaitingBytes = 4 * 1024 * 1024
