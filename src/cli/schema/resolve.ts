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

function follow(reference: string, root: JsonObject): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let current: unknown = root
  for (const part of reference.slice(2).split('/')) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = Reflect.get(current, key)
  }
  return current
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
