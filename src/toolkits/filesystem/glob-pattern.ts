import { Refusal } from '../root/refusal.ts'

/**
 * `*` and `?` within a name, `**` for any number of directories, `[a-z]`, `[!a-z]`, `{one,other}`, and a backslash before what is meant as
 * it is. Matched by following all possibilities at once, so that no pattern takes longer than its length times that of the path;
 * libraries that make regular expressions of globs can be kept busy for ever.
 */
export class GlobPattern {
  readonly #alternatives: readonly (readonly Segment[])[]

  /** @throws Refusal */
  constructor(pattern: string) {
    if (pattern.length > longest) throw new Refusal(`the pattern is longer than ${longest} characters`)
    this.#alternatives = expanded(pattern).map(segmentsOf)
  }

  matches(path: readonly string[]): boolean {
    return this.#alternatives.some((segments) => positionsAfter(segments, path).has(segments.length))
  }

  /** Whether anything below that directory can match. */
  leadsBelow(path: readonly string[]): boolean {
    return this.#alternatives.some((segments) =>
      [...positionsAfter(segments, path)].some((position) => position < segments.length),
    )
  }
}

type Segment = '**' | readonly Token[]
type Token = '*' | ((char: string) => boolean)

/** How far into the pattern the path may have led. */
function positionsAfter(segments: readonly Segment[], path: readonly string[]): ReadonlySet<number> {
  let positions = new Set<number>()
  reach(segments, positions, 0)
  for (const name of path) {
    const next = new Set<number>()
    for (const position of positions) {
      const segment = segments[position]
      if (segment === '**') reach(segments, next, position)
      else if (segment && matchesName(segment, name)) reach(segments, next, position + 1)
    }
    positions = next
  }
  return positions
}

/** `**` may also be nothing. */
function reach(segments: readonly Segment[], positions: Set<number>, position: number): void {
  positions.add(position)
  if (segments[position] === '**') reach(segments, positions, position + 1)
}

/** When it fails it goes back to the last `*` only: that one can take what an earlier one would have. */
function matchesName(tokens: readonly Token[], name: string): boolean {
  const chars = [...name]
  let [token, char] = [0, 0]
  let star: { readonly token: number; char: number } | undefined
  while (char < chars.length) {
    const wanted = tokens[token]
    if (wanted === '*') {
      token += 1
      star = { token, char }
    } else if (wanted?.(chars[char] ?? '')) {
      token += 1
      char += 1
    } else {
      if (!star) return false
      star.char += 1
      token = star.token
      char = star.char
    }
  }
  return tokens.slice(token).every((rest) => rest === '*')
}

function segmentsOf(pattern: string): readonly Segment[] {
  return pattern
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .map((segment) => (segment === '**' ? '**' : tokensOf(segment)))
}

function tokensOf(segment: string): readonly Token[] {
  const parts = segment.match(/\\.|\[[!^]?\]?[^\]]*\]|./gsu) ?? []
  return parts.map((part): Token => {
    if (part === '*') return '*'
    if (part === '?') return () => true
    if (part.length > 2 && part.startsWith('[')) return oneOf(part.slice(1, -1))
    const literal = part.length > 1 && part.startsWith('\\') ? part.slice(1) : part
    return (char) => char === literal
  })
}

function oneOf(set: string): (char: string) => boolean {
  const isNegated = /^[!^]/.test(set)
  const ranges = set.slice(isNegated ? 1 : 0).match(/.-.|./gsu) ?? []
  return (char) =>
    isNegated !==
    ranges.some((range) => {
      const [from = '', , to = from] = [...range]
      return from <= char && char <= to
    })
}

/** Every pattern that the braces stand for. */
function expanded(pattern: string): readonly string[] {
  const group = groupOf(pattern)
  if (!group) return [pattern]
  const tails = expanded(group.after)
  const all = group.choices
    .flatMap((choice) => expanded(choice))
    .flatMap((choice) => tails.map((tail) => group.before + choice + tail))
  if (all.length > mostAlternatives)
    throw new Refusal(`the braces stand for more than ${mostAlternatives} patterns`)
  if (all.reduce((sum, { length }) => sum + length, 0) > longestExpanded)
    throw new Refusal(`the braces stand for more than ${longestExpanded} characters`)
  return all
}

/** The first pair of braces that has a comma in it. */
function groupOf(pattern: string) {
  for (let open = pattern.indexOf('{'); open !== -1; open = pattern.indexOf('{', open + 1)) {
    const choices: string[] = []
    let depth = 0
    let begin = open + 1
    for (let at = open; at < pattern.length; at += 1) {
      const char = pattern[at]
      if (char === '\\') at += 1
      else if (char === '{') depth += 1
      else if (char === ',' && depth === 1) {
        choices.push(pattern.slice(begin, at))
        begin = at + 1
      } else if (char === '}') {
        depth -= 1
        if (depth > 0) continue
        if (choices.length === 0) break
        choices.push(pattern.slice(begin, at))
        return { before: pattern.slice(0, open), choices, after: pattern.slice(at + 1) }
      }
    }
  }
  return undefined
}

const longest = 1_000
const mostAlternatives = 100
/** All alternatives together: each name is compared with each of them. */
const longestExpanded = 4_000
