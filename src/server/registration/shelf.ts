import { ConfigError } from '../../errors.ts'

/** Everything of one kind that a server has, under unique keys and always in the order of the keys. */
export class Shelf<Item> {
  readonly #kind: string
  readonly #onChange: () => void
  readonly #items = new Map<string, Item>()
  #sorted: readonly Entry<Item>[] | undefined

  /** `kind` is what messages call an item. */
  constructor(kind: string, onChange: () => void) {
    this.#kind = kind
    this.#onChange = onChange
  }

  get size(): number {
    return this.#items.size
  }

  /** Returns what takes the item away again. @throws ConfigError when the key is taken */
  add(key: string, item: Item): () => void {
    if (this.#items.has(key))
      throw new ConfigError({
        path: [this.#kind],
        reason: `${key} is registered already; register one of the two under another prefix`,
      })
    this.#items.set(key, item)
    this.#changed()
    return () => {
      if (this.#items.get(key) !== item) return
      this.#items.delete(key)
      this.#changed()
    }
  }

  get(key: string): Item | undefined {
    return this.#items.get(key)
  }

  /** By code unit of their keys, which every machine orders alike. */
  get entries(): readonly Entry<Item>[] {
    this.#sorted ??= [...this.#items]
      .map(([key, item]) => ({ key, item }))
      .sort((one, other) => (one.key < other.key ? -1 : 1))
    return this.#sorted
  }

  #changed(): void {
    this.#sorted = undefined
    this.#onChange()
  }
}

export interface Entry<Item> {
  readonly key: string
  readonly item: Item
}
