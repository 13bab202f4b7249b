import { isObject, type JsonObject } from './json-rpc.ts'

/** What a text on a wire is: a message, something that is none, or one whose structure is out of all proportion. */
export type ParsedText =
  | { readonly kind: 'message'; readonly message: JsonObject | readonly unknown[] }
  | { readonly kind: 'noise' }
  | { readonly kind: 'refused'; readonly reason: string }

/** Deeper values exhaust the stack of whoever walks them: cloning and serialising give up at a few thousand levels. */
export const maxDepth = 1_000
/** More objects and arrays than this become gigabytes: `[{},{},…` costs thirty times its text. */
export const maxContainers = 4_000_000

/** Reads one text. Never throws. */
export function parseMessage(text: string): ParsedText {
  // A look first: a SyntaxError costs more than a hundred of these, and noise may come in floods.
  if (!opening.test(text)) return noise
  const reason = complainOfStructure(text)
  if (reason) return { kind: 'refused', reason }
  const value = parse(text)
  return isObject(value) || Array.isArray(value) ? { kind: 'message', message: value } : noise
}

/** What is wrong with the structure of a JSON text, found without parsing it: nothing is allocated, and long strings are skipped. */
function complainOfStructure(text: string): string | undefined {
  // Each level takes two characters: ordinary messages are not looked at.
  if (text.length <= 2 * maxDepth) return undefined
  let depth = 0
  let containers = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) {
      at = endOfString(text, at)
      // Cut off: no JSON, so parsing it is cheap.
      if (at === -1) return undefined
    } else if (char === brace || char === bracket) {
      depth += 1
      containers += 1
      if (depth > maxDepth) return `it is nested deeper than ${maxDepth} levels`
      if (containers > maxContainers) return `it holds more than ${maxContainers} objects and arrays`
    } else if (char === closingBrace || char === closingBracket) depth -= 1
  }
  return undefined
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text.charCodeAt(before - 1) === backslash) before -= 1
    const isEscaped = (end - before) % 2 === 1
    if (!isEscaped) return end
  }
  return -1
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const noise = { kind: 'noise' } as const
const opening = /^\s*[{[]/
const quote = 0x22
const backslash = 0x5c
const bracket = 0x5b
const closingBracket = 0x5d
const brace = 0x7b
const closingBrace = 0x7d
