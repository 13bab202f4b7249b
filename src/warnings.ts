/** Reports of one kind get rarer the more there are: the 1st, 2nd, 4th, 8th …, each with its count, so a flood costs little. */
export class Warnings {
  readonly #counts = new Map<string, number>()
  readonly #report: (message: string) => void

  constructor(report: (message: string) => void) {
    this.#report = report
  }

  warn(kind: string, detail: string): void {
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    const isPowerOfTwo = (count & (count - 1)) === 0
    if (isPowerOfTwo)
      this.#report(count === 1 ? `${kind}: ${detail}` : `${kind} (${count} so far): ${detail}`)
  }

  count(kind: string): number {
    return this.#counts.get(kind) ?? 0
  }
}
