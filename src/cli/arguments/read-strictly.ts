import { isObject } from '../../protocol/json-rpc.ts'

/** Reads a text as the first of the JSON types, narrowest first, that it is; undefined when it is none but a string. */
export function readStrictly(
  text: string,
  types: ReadonlySet<string>,
): { readonly value: unknown } | undefined {
  for (const [type, read] of readers) {
    const value = types.has(type) ? read(text.trim()) : undefined
    if (value !== undefined) return { value }
  }
  return undefined
}

const readers: readonly (readonly [type: string, read: (text: string) => unknown])[] = [
  ['null', (text) => (text === 'null' ? null : undefined)],
  ['boolean', (text) => (text === 'true' ? true : text === 'false' ? false : undefined)],
  ['integer', readInteger],
  ['number', readNumber],
  ['array', (text) => readJson(text, Array.isArray)],
  ['object', (text) => readJson(text, isObject)],
]

function readNumber(text: string): number | undefined {
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

/** Past 2^53 it would silently become another one. */
function readInteger(text: string): number | undefined {
  const value = readNumber(text)
  return Number.isSafeInteger(value) ? value : undefined
}

function readJson(text: string, isRight: (value: unknown) => boolean): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isRight(value) ? value : undefined
  } catch {
    return undefined
  }
}
