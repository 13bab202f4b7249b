import { constants } from 'node:buffer'

/** Keeps the bytes of one body up to a limit; they are joined and decoded once. */
export class BodyBuffer {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #size = 0
  #loose = 0

  constructor(maxBytes: number) {
    // No string can be longer, so a longer body could never be decoded.
    this.#maxBytes = Math.min(maxBytes, constants.MAX_STRING_LENGTH)
  }

  /** False when that is more than fits: then nothing of it is kept. */
  push(chunk: Buffer): boolean {
    if (this.#size + chunk.length > this.#maxBytes) return false
    this.#parts.push(chunk)
    this.#size += chunk.length
    this.#loose += 1
    if (this.#loose === looseParts) this.#compact()
    return true
  }

  /** Whether a body of that `Content-Length` would fit; one that is not said does. */
  fits(contentLength: unknown): boolean {
    return !(Number(contentLength) > this.#maxBytes)
  }

  /** Without a byte order mark. */
  text(): string {
    const [first] = this.#parts
    const bytes = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts, this.#size)
    const text = bytes.toString()
    return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text
  }

  /** A peer that dribbles single bytes must not cost a Buffer object for each of them. */
  #compact(): void {
    this.#parts.push(Buffer.concat(this.#parts.splice(-looseParts)))
    this.#loose = 0
  }
}

const looseParts = 1024
const byteOrderMark = 0xfeff
