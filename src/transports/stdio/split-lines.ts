import { constants } from 'node:buffer'
import { firstBytes, lastBytes } from './byte-edges.ts'

export interface LineSplitterOptions {
  /** The longest line that is kept, in bytes, without its newline. */
  readonly maxBytes: number
  /** How much of the beginning and of the end of a longer line is handed to `onOversize`. Default: 1024 bytes, 256 bytes. */
  readonly headBytes?: number
  readonly tailBytes?: number
  /** One line without its newline. Lines of one chunk are slices of one string: a kept line keeps up to that chunk alive. */
  onLine(text: string): void
  /** A line past `maxBytes` came to its end; everything between head and tail is gone. */
  onOversize(head: Buffer, tail: Buffer): void
}

/**
 * Cuts a byte stream into lines at 0x0A, before decoding: no UTF-8 sequence contains that byte, so a character that is
 * split between chunks stays whole. Each byte is searched once and joined once, whatever the length of the line.
 */
export class LineSplitter {
  readonly #options: LineSplitterOptions
  readonly #maxBytes: number
  readonly #headBytes: number
  readonly #tailBytes: number
  /** The unfinished line. */
  #parts: Buffer[] = []
  #size = 0
  #loose = 0
  /** Set while the rest of a line that is too long is thrown away. */
  #discarded: { head: Buffer; tail: Buffer } | undefined

  constructor(options: LineSplitterOptions) {
    this.#options = options
    // No string can be longer, so a longer line could never be decoded.
    this.#maxBytes = Math.min(options.maxBytes, constants.MAX_STRING_LENGTH)
    this.#headBytes = options.headBytes ?? 1024
    this.#tailBytes = options.tailBytes ?? 256
  }

  push(chunk: Buffer): void {
    let start = 0
    if (this.#isOpen) {
      const end = chunk.indexOf(newline)
      this.#hold(end === -1 ? chunk : chunk.subarray(0, end))
      if (end === -1) return
      this.#finish()
      start = end + 1
    }
    const last = chunk.lastIndexOf(newline)
    if (last >= start) {
      const lines = chunk.subarray(start, last)
      if (lines.length <= this.#maxBytes) this.#wholeLines(lines)
      else this.#lineByLine(lines)
      start = last + 1
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start))
  }

  /** The stream ended: hands out a last line that has no newline. */
  end(): void {
    if (this.#isOpen) this.#finish()
  }

  get #isOpen(): boolean {
    return this.#size > 0 || this.#discarded !== undefined
  }

  #wholeLines(block: Buffer): void {
    // Decoding many small lines at once and cutting the string costs a quarter less than decoding each.
    const text = block.toString()
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#options.onLine(text.slice(start, end))
      start = end + 1
    }
    this.#options.onLine(start === 0 ? text : text.slice(start))
  }

  #lineByLine(block: Buffer): void {
    let start = 0
    while (start <= block.length) {
      const next = block.indexOf(newline, start)
      const end = next === -1 ? block.length : next
      this.#hold(block.subarray(start, end))
      this.#finish()
      start = end + 1
    }
  }

  #hold(part: Buffer): void {
    if (this.#discarded) {
      const { head, tail } = this.#discarded
      this.#discarded = {
        head: firstBytes([head, part], this.#headBytes),
        tail: lastBytes([tail, part], this.#tailBytes),
      }
      return
    }
    this.#parts.push(part)
    this.#size += part.length
    this.#loose += 1
    if (this.#size > this.#maxBytes) this.#discard()
    else if (this.#loose === looseParts) this.#compact()
  }

  /** A peer that dribbles single bytes must not cost a Buffer object for each of them. */
  #compact(): void {
    this.#parts.push(Buffer.concat(this.#parts.splice(-looseParts)))
    this.#loose = 0
  }

  #discard(): void {
    const head = firstBytes(this.#parts, this.#headBytes)
    const tail = lastBytes(this.#parts, this.#tailBytes)
    this.#reset()
    this.#discarded = { head, tail }
  }

  #finish(): void {
    const discarded = this.#discarded
    const [first] = this.#parts
    const bytes = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts, this.#size)
    // Before the callback: whatever it does, the next line starts clean.
    this.#reset()
    if (discarded) this.#options.onOversize(discarded.head, discarded.tail)
    else this.#options.onLine(bytes.toString())
  }

  #reset(): void {
    this.#parts = []
    this.#size = 0
    this.#loose = 0
    this.#discarded = undefined
  }
}

const newline = 0x0a
const looseParts = 1024
