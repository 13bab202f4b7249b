import { createHash } from 'node:crypto'

/** One tool, by the name its provider gave it; in a registry under the prefix of that, else under ''. */
export interface ToolKey {
  readonly prefix: string
  readonly name: string
}

/** Whether a model may be given it as the name of a tool: what every vendor takes. */
export function isPublishable(name: string): boolean {
  return /^[a-zA-Z0-9_-]{1,64}$/.test(name)
}

/** Whether a tool of that prefix may be published by that name: no other tool can be meant by it. */
export function mayBeOf(prefix: string, separator: string, name: string): boolean {
  if (!isPublishable(name)) return false
  const head = (prefix + separator).replaceAll(badCharacters, '_')
  // A hash may have pushed out the end of the prefix itself.
  return name.startsWith(head) || (name.length === longestName && head.startsWith(name.replace(hash, '')))
}

/** Whether it can be a name that was made, so that it is worth a look at the list of tools. */
export function mayBeHashed(name: string): boolean {
  return hash.test(name)
}

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
  return isPublishable(name) ? { key, name, digits: 0 } : hashed(key, separator, 8)
}

function hashed<Key extends ToolKey>(key: Key, separator: string, digits: number): Named<Key> {
  const safe = (key.prefix + separator + key.name).replaceAll(badCharacters, '_')
  const hash = createHash('sha256').update(bytesOf(key)).digest('hex').slice(0, digits)
  return { key, name: `${safe.slice(0, longestName - digits - 1)}_${hash}`, digits }
}

/** Others for every tool: half a surrogate pair has no UTF-8, and no UTF-8 begins with 0xff. */
function bytesOf({ prefix, name }: ToolKey): Buffer {
  const text = `${prefix}\0${name}`
  return text.isWellFormed() ? Buffer.from(text) : Buffer.from(`\xff${text}`, 'utf16le')
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

const longestName = 64
const hash = /_[0-9a-f]{8,}$/
const badCharacters = /[^a-zA-Z0-9_-]/gu
