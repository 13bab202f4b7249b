import type { JsonObject } from '../../../protocol/json-rpc.ts'

/** A repaired schema; false: no value is valid. */
export type Repaired = JsonObject | false

/** A schema under repair. */
export interface Draft {
  [keyword: string]: unknown
}

/** False, for where a schema must be an object. */
export function asObject(repaired: Repaired): JsonObject {
  return repaired === false ? { not: {} } : repaired
}

/** Tells a model in words what the dialect cannot say. */
export function tell(draft: Draft, text: string): void {
  const said = text.length > longest ? `${text.slice(0, longest)}…` : text
  draft.description = typeof draft.description === 'string' ? `${draft.description} (${said})` : said
}

const longest = 200
