import { countRemoval } from '../removals.ts'

/** What a registry lost, and when: whoever has the prefix or the name of a tool now is not whom earlier calls were meant for. */
export class TakenOut {
  /** The last removal of each. */
  readonly #prefixes = new Map<string, number>()
  readonly #names = new Map<string, number>()

  /** `names`: its tools, as they were published. */
  add(prefix: string, names: readonly string[]): void {
    const removal = countRemoval()
    this.#prefixes.set(prefix, removal)
    for (const name of names) this.#names.set(name, removal)
  }

  /** Whether the name, or the prefix it leads to now, belonged to something that was taken out after so many removals. */
  has(name: string, prefix: string | undefined, asOf: number): boolean {
    const last = prefix === undefined ? undefined : this.#prefixes.get(prefix)
    return Math.max(this.#names.get(name) ?? 0, last ?? 0) > asOf
  }
}
