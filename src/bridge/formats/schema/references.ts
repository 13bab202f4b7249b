import type { JsonObject } from '../../../protocol/json-rpc.ts'

/** Before 2019-09 what stands beside a `$ref` means nothing. */
export function ignoresSiblings({ $schema }: JsonObject): boolean {
  return typeof $schema === 'string' && /draft-0[3-7]/.test($schema)
}

/** A schema with an `$id` of its own is a document of its own. */
export function documentOf(schema: JsonObject, root: JsonObject): JsonObject {
  const { $id } = schema
  return typeof $id !== 'string' || $id.startsWith('#') ? root : schema
}
