import { createHash } from 'node:crypto'

/** One tool of one entry, by the name its provider gave it. */
export interface ToolKey {
  readonly prefix: string
  readonly name: string
}

/** What every vendor takes as the name of a tool. */
const longestName = 64
const badCharacters = /[^a-zA-Z0-9_-]/gu

/**
 * A published name for each tool: prefix, separator and name where that can be, else cut and told apart by a hash. A pure function
 * of the set of tools, since saved rules name them; their order means nothing. No key may come twice.
 */
export function publishedNames<Key extends ToolKey>(
  keys: readonly Key[],
  separator: string,
): ReadonlyMap<string, Key> {
  let named = keys.map((key) => firstChoice(key, separator))
  for (;;) {
    const rivals = new Set(groupedByName(named).filter(isContested).flatMap(weakest))
    if (rivals.size === 0) return new Map(named.map(({ name, key }) => [name, key]))
    named = named.map((tool) => (rivals.has(tool) ? hashed(tool.key, separator, tool.digits + 8) : tool))
  }
}

interface Named<Key> {
  readonly key: Key
  readonly name: string
  /** Of the hash in its name. */
  readonly digits: number
}

function firstChoice<Key extends ToolKey>(key: Key, separator: string): Named<Key> {
  const name = key.prefix + separator + key.name
  const isFine = name.length <= longestName && name.search(badCharacters) < 0
  return isFine ? { key, name, digits: 0 } : hashed(key, separator, 8)
}

function hashed<Key extends ToolKey>(key: Key, separator: string, digits: number): Named<Key> {
  const safe = (key.prefix + separator + key.name).replaceAll(badCharacters, '_')
  const hash = createHash('sha256').update(`${key.prefix}\0${key.name}`).digest('hex').slice(0, digits)
  return { key, name: `${safe.slice(0, longestName - digits - 1)}_${hash}`, digits }
}

function groupedByName<Key>(named: readonly Named<Key>[]): readonly (readonly Named<Key>[])[] {
  const groups = new Map<string, Named<Key>[]>()
  for (const tool of named) {
    const group = groups.get(tool.name)
    if (group) group.push(tool)
    else groups.set(tool.name, [tool])
  }
  return [...groups.values()]
}

function isContested(group: readonly unknown[]): boolean {
  return group.length > 1
}

/** Of tools that want one name, those that gave up least of their own so far: a natural name yields to a hashed one. */
function weakest<Key>(group: readonly Named<Key>[]): readonly Named<Key>[] {
  const fewest = Math.min(...group.map(({ digits }) => digits))
  return group.filter(({ digits }) => digits === fewest)
}
