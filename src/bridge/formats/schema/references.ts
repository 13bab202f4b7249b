import type { JsonObject } from '../../../protocol/json-rpc.ts'

/** What a `$ref` of this document leads to; undefined for one that leads elsewhere or nowhere. */
export function follow(reference: string, root: JsonObject): unknown {
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

/** Before 2019-09 what stands beside a `$ref` means nothing. */
export function ignoresSiblings({ $schema }: JsonObject): boolean {
  return typeof $schema === 'string' && /draft-0[3-7]/.test($schema)
}

/** A schema with an `$id` of its own is a document of its own. */
export function documentOf(schema: JsonObject, root: JsonObject): JsonObject {
  const { $id } = schema
  return typeof $id !== 'string' || $id.startsWith('#') ? root : schema
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
