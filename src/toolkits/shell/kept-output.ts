/** The beginning and the end of what a program writes; what is between is counted. */
export class KeptOutput {
  /** All that came. */
  length = 0
  readonly #headBytes: number
  readonly #tailBytes: number
  #head: Buffer[] = []
  #headLength = 0
  #tail: Buffer[] = []
  #tailLength = 0

  constructor(keepBytes: number) {
    this.#headBytes = Math.ceil(keepBytes / 2)
    this.#tailBytes = keepBytes - this.#headBytes
  }

  push(chunk: Buffer): void {
    this.length += chunk.length
    const head = chunk.subarray(0, this.#headBytes - this.#headLength)
    if (head.length > 0) this.#head.push(head)
    this.#headLength += head.length
    const tail = chunk.subarray(head.length)
    if (tail.length === 0) return
    this.#tail.push(tail)
    this.#tailLength += tail.length
    // Copied once in a while only, and never more than twice as much is held.
    if (this.#tailLength > 2 * this.#tailBytes + slack) this.#cutTail()
  }

  text(): string {
    this.#cutTail()
    const missing = this.length - this.#headLength - this.#tailLength
    const [head, tail] = [Buffer.concat(this.#head), Buffer.concat(this.#tail)]
    if (missing === 0) return Buffer.concat([head, tail]).toString()
    return `${wholeEnd(head)}\n[… ${missing} bytes are not shown …]\n${wholeBegin(tail)}`
  }

  #cutTail(): void {
    const all = Buffer.concat(this.#tail)
    this.#tail = [Buffer.from(all.subarray(Math.max(0, all.length - this.#tailBytes)))]
    this.#tailLength = Math.min(all.length, this.#tailBytes)
  }
}

const slack = 2 ** 16

/** Without a character that was torn apart: the beginning of one is read as one that is unknown, its end as up to three. */
function wholeEnd(bytes: Buffer): string {
  return bytes.toString().replace(/\uFFFD$/, '')
}

function wholeBegin(bytes: Buffer): string {
  return bytes.toString().replace(/^\uFFFD{1,3}/, '')
}
