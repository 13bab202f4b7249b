import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { Cancellation } from './cancellation.ts'

/** One request under way, as its transport knows it. What is said here belongs to that request, and comes before its answer. */
export interface Exchange {
  readonly cancellation: Cancellation
  notify(method: string, params: JsonObject): void
}
