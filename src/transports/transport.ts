import type { McpError } from '../errors.ts'
import type { JsonObject, RequestId } from '../protocol/json-rpc.ts'

/** One message on its way out: its JSON text (no newline) and what a wire may need to know without parsing it. */
export type Outbound =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly text: string }
  | { readonly kind: 'notification'; readonly method: string; readonly text: string }
  | { readonly kind: 'response'; readonly id: RequestId; readonly text: string }

/**
 * A wire to one server. It moves messages and owns what must be ended (a process, sockets);
 * it knows nothing of eras, correlation or retries.
 */
export interface Transport {
  /** For people and logs: `node server.js`, `https://…`. No secrets. */
  readonly target: string
  /**
   * Opens the wire; resolves when messages may be sent. Called once.
   * @throws SpawnFailedError, TransportClosedError or the wire's own error. `signal` aborts the attempt and leaves nothing behind.
   */
  open(events: TransportEvents, signal: AbortSignal): Promise<void>
  /** Sends one message. Never throws: a wire that is gone says so through `closed`. */
  send(message: Outbound): void
  /** Ends the wire and everything it started. Idempotent; resolves when nothing is left. */
  close(): Promise<void>
}

/** What a wire reports. Calls happen in arrival order, none before `open` was called and none after `closed`. */
export interface TransportEvents {
  /** One JSON value that is an object, or (2025-03-26 batches) an array; `text` is what it was parsed from. */
  message(message: JsonObject | readonly unknown[], text: string): void
  /** Something on the wire that is no message; dropped. `sample` is cut to 200 characters. */
  noise(sample: string): void
  /** A message over the size limit was discarded; `id` is set when its head named one. */
  oversize(id: RequestId | undefined, maxMessageBytes: number): void
  /** One line of the server's stderr, without its newline. */
  stderr(line: string): void
  /** A process group exists from now on, and must die with the host. */
  spawned(processGroupId: number): void
  /** Nothing of that process group is left. */
  reaped(processGroupId: number): void
  /** The wire ended, once. `failure` is undefined when `close()` asked for it. */
  closed(failure: McpError | undefined): void
}
