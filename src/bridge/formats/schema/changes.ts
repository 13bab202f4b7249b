/** What the repair of one schema did to it. */
export class Changes {
  readonly #texts = new Set<string>()
  #losses = 0

  /** How often the schema became wider than it was. */
  get losses(): number {
    return this.#losses
  }

  get texts(): readonly string[] {
    return [...this.#texts]
  }

  /** The same instances are valid as before. */
  respelled(path: string, what: string): void {
    this.#texts.add(`${path || '/'} ${what}`)
  }

  /** More instances are valid than before. */
  widened(path: string, what: string): void {
    this.#losses += 1
    this.respelled(path, what)
  }

  add(other: Changes): void {
    for (const text of other.#texts) this.#texts.add(text)
    this.#losses += other.#losses
  }
}

/** A value as it is told in a change. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

const longest = 40
