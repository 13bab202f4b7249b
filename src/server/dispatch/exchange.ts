import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { Cancellation } from './cancellation.ts'

/** One request under way, as its transport knows it. What is said here belongs to that request, and comes before its answer. */
export interface Exchange {
  readonly cancellation: Cancellation
  /** Who asks, where the transport knows. */
  readonly principal?: string
  /** What it may do, where the transport knows. */
  readonly scopes?: readonly string[]
  /** The client of this wire, where nobody else can come back for its tasks: see `Dispatcher.left`. */
  readonly client?: object
  notify(method: string, params: JsonObject): void
  /** Present where a legacy client can be sent a request in the course of its own; resolves with the result. */
  push?(method: string, params: JsonObject): Promise<JsonObject>
  /** Present where the caller's connection can be let go, and its client comes back for the answer. */
  disconnect?(): void
  /** The listener is called when the transport wants to end: what lasts should come to its end. */
  onStop(listener: () => void): void
}
