import type { JsonObject } from '../../protocol/json-rpc.ts'
import { alternativesOf, schemasOfKey, typesOf } from '../schema/alternatives.ts'
import { typeText } from '../schema/type-text.ts'
import { UsageError } from '../usage-error.ts'
import type { GivenArguments } from './given.ts'
import { readStrictly } from './read-strictly.ts'

/** What was given, each text typed by the tool's input schema. @throws UsageError for a text its type does not allow. */
export function typeArguments({ values, texts }: GivenArguments, inputSchema: JsonObject): JsonObject {
  const typed = [...texts].map(([key, given]) => [key, typeKey(key, given, inputSchema)] as const)
  return Object.fromEntries([...values, ...typed])
}

function typeKey(key: string, texts: readonly string[], root: JsonObject): unknown {
  const alternatives = schemasOfKey(root, key).flatMap((schema) => alternativesOf(schema, root))
  const [text = '', ...more] = texts
  if (more.length === 0) return typeOne(key, text, alternatives, root)
  const array = alternatives.find((schema) => typesOf(schema).includes('array'))
  if (!array)
    throw new UsageError(`${key} is given ${texts.length} times, but is no array: it takes one value`)
  return texts.map((one) => typeItem(key, one, array, root))
}

/** A union takes the narrowest of its types that fits: `null`, `true` and `5` are strings only where nothing else is allowed. */
function typeOne(key: string, text: string, alternatives: readonly JsonObject[], root: JsonObject): unknown {
  const types = new Set(alternatives.flatMap(typesOf))
  const named = alternatives.flatMap(({ enum: members, const: only }) =>
    only !== undefined ? [only] : Array.isArray(members) ? members : [],
  )
  const member = named.find((one) => (typeof one === 'string' ? one : JSON.stringify(one)) === text)
  if (member !== undefined) return member
  const reading = readStrictly(text, types)
  if (reading) return reading.value
  if (types.size === 0 || types.has('string')) return text
  const array = alternatives.find((schema) => typesOf(schema).includes('array'))
  // A bracket was meant as JSON, and then failed to be that.
  if (array && !text.trim().startsWith('[')) return text === '' ? [] : [typeItem(key, text, array, root)]
  throw mistyped(key, text, alternatives, root)
}

function typeItem(key: string, text: string, array: JsonObject, root: JsonObject): unknown {
  return typeOne(key, text, alternativesOf(array.items, root), root)
}

function mistyped(
  key: string,
  text: string,
  alternatives: readonly JsonObject[],
  root: JsonObject,
): UsageError {
  const types = [...new Set(alternatives.map((schema) => typeText(schema, root)))].join(' | ')
  return new UsageError(`${key} takes ${types}, not ${JSON.stringify(text)}`)
}
