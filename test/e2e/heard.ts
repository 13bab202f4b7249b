/** What was heard so far, in order; a test can wait for more of it. */
export class Heard<Item> {
  readonly all: Item[] = []
  readonly #waiting: { matches: (item: Item) => boolean; resolve: (item: Item) => void }[] = []

  readonly hear = (item: Item): void => {
    this.all.push(item)
    for (const waiter of this.#waiting.splice(0)) {
      if (waiter.matches(item)) waiter.resolve(item)
      else this.#waiting.push(waiter)
    }
  }

  /** The first that matches, now or later. */
  async first(matches: (item: Item) => boolean): Promise<Item> {
    const found = this.all.find(matches)
    if (found !== undefined) return found
    return new Promise((resolve) => this.#waiting.push({ matches, resolve }))
  }
}
