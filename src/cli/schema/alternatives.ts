import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { resolve } from './resolve.ts'

/** What one argument of a tool may be: the simple schemas that its unions and references come down to. */
export function alternativesOf(schema: unknown, root: JsonObject): readonly JsonObject[] {
  return flatten(schema, root)
}

/** The schemas a tool's input schema has for one key; several where it is a union itself. */
export function schemasOfKey(root: JsonObject, key: string): readonly unknown[] {
  const bodies = [root, ...flatten(root, root)]
  const named = new Set(
    bodies.flatMap(({ properties }) =>
      isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [],
    ),
  )
  if (named.size > 0) return [...named]
  return bodies.flatMap(({ additionalProperties }) =>
    isObject(additionalProperties) ? [additionalProperties] : [],
  )
}

/** The names of the JSON types a simple schema allows; empty: it does not say. */
export function typesOf({ type, properties, items }: JsonObject): readonly string[] {
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string')
  if (isObject(properties)) return ['object']
  return items === undefined ? [] : ['array']
}

/** Each schema once, however often and in what circles it is referred to. */
function flatten(schema: unknown, root: JsonObject, seen = new Set<JsonObject>()): JsonObject[] {
  const resolved = resolve(schema, root)
  if (!resolved || seen.has(resolved)) return []
  seen.add(resolved)
  const branches = [resolved.anyOf, resolved.oneOf, resolved.allOf].flatMap((branch) =>
    Array.isArray(branch) ? branch : [],
  )
  if (branches.length === 0) return [resolved]
  const inside = branches.flatMap((branch) => flatten(branch, root, seen))
  return typesOf(resolved).length > 0 ? [resolved, ...inside] : inside
}
