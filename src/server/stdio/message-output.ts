import type { Readable, Writable } from 'node:stream'
import { ignoreErrors } from './ignore-errors.ts'

/**
 * The writing half of a pipe: the messages of one turn go out in one write. While the client does not read, nothing more is read from
 * it; what answers nothing is not taken any more once much waits.
 */
export class MessageOutput {
  readonly #output: Writable
  readonly #input: Readable
  readonly #write: (text: string) => boolean
  #queue: string[] = []
  /** Whether the client has to read before it is read from. */
  #flow: 'free' | 'held' = 'free'

  /** `write` is where `output.write` is not for us. */
  constructor(output: Writable, input: Readable, write = (text: string) => output.write(text)) {
    this.#output = output
    this.#input = input
    this.#write = write
    ignoreErrors(output)
    output.on('drain', this.#release)
  }

  /** One message, as JSON text. */
  send(text: string): void {
    if (this.#queue.push(text) === 1) process.nextTick(this.flush)
  }

  /** A message that may be lost. */
  mention(text: string): void {
    if (this.#output.writableLength < mostWaitingBytes) this.send(text)
  }

  /** Returns what stops it. */
  onGone(listener: () => void): () => void {
    for (const event of goneEvents) this.#output.on(event, listener)
    return () => {
      for (const event of goneEvents) this.#output.off(event, listener)
    }
  }

  /** Writes what is left, and leaves both pipes to others. */
  close(): void {
    this.flush()
    this.#output.off('drain', this.#release)
  }

  readonly flush = (): void => {
    const texts = this.#queue
    this.#queue = []
    let block: string[] = []
    let length = 0
    for (const text of texts) {
      block.push(text)
      length += text.length
      if (length < joinedLength) continue
      this.#writeLines(block)
      block = []
      length = 0
    }
    if (block.length > 0) this.#writeLines(block)
  }

  #writeLines(texts: readonly string[]): void {
    if (!this.#output.writable) return
    const isFull = !this.#write(`${texts.join('\n')}\n`)
    if (!isFull || !this.#output.writableNeedDrain || this.#input.isPaused()) return
    this.#flow = 'held'
    this.#input.pause()
  }

  /** What others paused is theirs to resume. */
  readonly #release = (): void => {
    if (this.#flow === 'free') return
    this.#flow = 'free'
    this.#input.resume()
  }
}

const goneEvents = ['error', 'close']
/** More in one write saves nothing, and strings have an end: a thousand large answers may come in one turn. */
const joinedLength = 256 * 1024
const mostWaitingBytes = 4 * 1024 * 1024
