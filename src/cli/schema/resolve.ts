import { follow } from '../../protocol/json-pointer.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'

/** Follows `$ref`s within one schema; undefined for one that leads elsewhere, nowhere or in circles. */
export function resolve(schema: unknown, root: JsonObject): JsonObject | undefined {
  const seen = new Set<unknown>()
  let current = schema
  while (isObject(current) && typeof current.$ref === 'string') {
    if (seen.has(current)) return undefined
    seen.add(current)
    current = follow(current.$ref, root)
  }
  return isObject(current) ? current : undefined
}
