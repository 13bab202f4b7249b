import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'

/** A schema in Gemini's own notation as JSON Schema: types in capitals, counts as texts. */
export function fromOpenApi(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) => {
      if (keyword === 'nullable') return []
      return [[keyword, convert(keyword, value, schema.nullable === true)]]
    }),
  )
}

function convert(keyword: string, value: unknown, isNullable: boolean): unknown {
  if (keyword === 'type' && typeof value === 'string') {
    const type = value.toLowerCase()
    return isNullable ? [type, 'null'] : type
  }
  if (counts.has(keyword)) return Number(value)
  if (keyword === 'items' && isObject(value)) return fromOpenApi(value)
  if (keyword === 'anyOf' && Array.isArray(value))
    return value.map((one) => (isObject(one) ? fromOpenApi(one) : one))
  if (keyword !== 'properties' || !isObject(value)) return value
  const properties = Object.entries(value)
  return Object.fromEntries(
    properties.map(([name, property]) => [name, isObject(property) ? fromOpenApi(property) : property]),
  )
}

const counts: ReadonlySet<string> = new Set([
  ...['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'],
])
