import type { JsonObject } from './json-rpc.ts'

/**
 * What fences files against writes that overtook a read; no model sees it. In the result of a call that read or changed a file: the
 * revision (a content hash) of what is there now. In a call that changes a file: what its first location (`path`, `from`) must
 * still be, or null where nothing may be yet; otherwise the server refuses it before any effect.
 */
export const revisionKey = 'mcp-troupe/revision'

/** Undefined when there is none. */
export function readRevision(meta: JsonObject | undefined): string | null | undefined {
  const revision = meta && Object.hasOwn(meta, revisionKey) ? meta[revisionKey] : undefined
  return typeof revision === 'string' || revision === null ? revision : undefined
}
