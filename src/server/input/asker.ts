import type { JsonObject } from '../../protocol/json-rpc.ts'

/** Puts a question of a handler to the client, in the way of an era. */
export interface Asker {
  /** `key` names the question across the rounds of one call. */
  ask(method: string, params: JsonObject, key: string | undefined): Promise<JsonObject>
}
