import type { Place } from './place.ts'

interface Node<Entry> {
  readonly entries: Entry[]
  readonly below: Map<string, Node<Entry>>
}

/**
 * Entries by place, found by overlap: a place overlaps what is above, at and below it, as far as anybody can tell (`isUnder` either
 * way is not `no`). An absolute place may be any relative one.
 */
export class PlaceIndex<Entry> {
  readonly #absolute: Node<Entry> = emptyNode()
  readonly #relative: Node<Entry> = emptyNode()

  add(place: Place, entry: Entry): void {
    let node = this.#rootOf(place)
    for (const key of place.keys) {
      const next = node.below.get(key) ?? emptyNode()
      node.below.set(key, next)
      node = next
    }
    node.entries.push(entry)
  }

  *overlapping(place: Place): Iterable<Entry> {
    let node: Node<Entry> | undefined = this.#rootOf(place)
    for (const key of place.keys) {
      yield* node.entries
      node = node.below.get(key)
      if (!node) break
    }
    if (node) yield* allOf(node)
    yield* allOf(place.location.isAbsolute ? this.#relative : this.#absolute)
  }

  #rootOf({ location }: Place): Node<Entry> {
    return location.isAbsolute ? this.#absolute : this.#relative
  }
}

function emptyNode<Entry>(): Node<Entry> {
  return { entries: [], below: new Map() }
}

function* allOf<Entry>({ entries, below }: Node<Entry>): Iterable<Entry> {
  yield* entries
  for (const node of below.values()) yield* allOf(node)
}
