import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { ConfigError } from '../errors.ts'
import type { Path, Source } from './source.ts'

/** JSON with comments and trailing commas. `file` and what it `holds` are for messages. @throws ConfigError with line and column */
export function fromText(text: string, file: string, holds = '{"mcpServers": {…}}'): Source {
  // As long as the text, so that columns stay right.
  const readable = text.replace(/^\uFEFF/, ' ')
  const errors: ParseError[] = []
  const tree = treeOf(readable, errors, file)
  const lines = new Lines(readable)
  const spot = (offset: number) => `${file}:${lines.lineAndColumn(offset)}`
  const [error] = errors
  if (readable.trim() === '')
    throw new ConfigError({ path: [file], reason: `is empty; it should hold ${holds}` })
  if (error) throw new ConfigError({ path: [spot(error.offset)], reason: explain(error) })
  if (!tree) throw new ConfigError({ path: [file], reason: 'is no valid JSON' })
  const members = new Members()
  const bad: Source['bad'] = (path, reason, options) =>
    path.length === 0
      ? new ConfigError({ path: [spot(tree.offset)], reason }, options)
      : new ConfigError({ path, reason: `${reason} (${spot(members.nodeAt(tree, path).offset)})` }, options)
  return { value: jsonValue(tree, [], bad), bad }
}

function treeOf(text: string, errors: ParseError[], file: string): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true })
  } catch (cause) {
    // The parser calls itself for each level.
    if (cause instanceof RangeError) throw new ConfigError({ path: [file], reason: tooDeep }, { cause })
    throw cause
  }
}

/** The parser's own would keep the first of two equal keys here and the last there, and obey `__proto__`. */
function jsonValue(node: Node, path: Path, bad: Source['bad']): unknown {
  if (path.length > deepest) throw bad(path, tooDeep)
  if (node.type === 'array')
    return node.children?.map((child, index) => jsonValue(child, [...path, `${index}`], bad)) ?? []
  if (node.type !== 'object') return getNodeValue(node)
  const members = new Map<string, unknown>()
  for (const { children: [key, value] = [] } of node.children ?? []) {
    if (!key || !value) continue
    const name = String(key.value)
    if (members.has(name)) throw bad([...path, name], 'is there twice; keep one of them')
    members.set(name, jsonValue(value, [...path, name], bad))
  }
  return Object.fromEntries(members)
}

/** Finds nodes; remembers the members of each that it passed, since a file may be complained of in ten thousand places. */
class Members {
  readonly #byKey = new WeakMap<Node, ReadonlyMap<string, Node>>()

  /** The node at a path, or of what would hold it. The last of equal keys: that one is too much. */
  nodeAt(tree: Node, path: Path): Node {
    let found = tree
    for (const step of path) {
      const next = this.#of(found).get(step)
      if (!next) break
      found = next
    }
    return found
  }

  #of(node: Node): ReadonlyMap<string, Node> {
    const known = this.#byKey.get(node) ?? membersOf(node)
    this.#byKey.set(node, known)
    return known
  }
}

function membersOf({ type, children = [] }: Node): ReadonlyMap<string, Node> {
  if (type === 'array') return new Map(children.map((child, index) => [`${index}`, child]))
  return new Map(
    children.flatMap(({ children: [key, value] = [] }) =>
      key && value ? [[String(key.value), value] as const] : [],
    ),
  )
}

/** `CommaExpected` in words. */
function explain({ error }: ParseError): string {
  const words = printParseErrorCode(error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return `is no valid JSON: ${words.toLowerCase()}`
}

/** The lines of a text, counted when they are first asked for. */
class Lines {
  readonly #text: string
  #ends: readonly number[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  lineAndColumn(offset: number): string {
    this.#ends ??= [...this.#text.matchAll(/\n/g)].map(({ index }) => index)
    const ends = this.#ends
    let [line, after] = [0, ends.length]
    while (line < after) {
      const middle = (line + after) >> 1
      if ((ends[middle] ?? 0) < offset) line = middle + 1
      else after = middle
    }
    return `${line + 1}:${offset - (ends[line - 1] ?? -1)}`
  }
}

/** More than anything here could mean. */
const deepest = 100
const tooDeep = 'is nested too deeply'
