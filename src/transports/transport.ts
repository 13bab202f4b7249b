import type { McpError } from '../errors.ts'
import type { JsonObject, RequestId } from '../protocol/json-rpc.ts'

/** One message on its way out: its JSON text (no newline) and what a wire may need to know without parsing it. */
export type Outbound =
  | {
      readonly kind: 'request'
      readonly id: RequestId
      readonly method: string
      readonly text: string
      readonly headers?: Headers
    }
  | {
      readonly kind: 'notification'
      readonly method: string
      readonly text: string
      readonly headers?: Headers
    }
  | { readonly kind: 'response'; readonly id: RequestId; readonly text: string; readonly headers?: Headers }

/** What of a message is mirrored into HTTP headers; only wires that say `carriesHeaders` are given any. */
export type Headers = { readonly [name: string]: string }

/**
 * A wire to one server. It moves messages and owns what must be ended (a process, sockets);
 * it knows nothing of eras, correlation or retries.
 */
export interface Transport {
  /** For people and logs: `node server.js`, `https://…`. No secrets. */
  readonly target: string
  /** Values that must be shown to nobody, e.g. those of its environment; default none. */
  readonly secrets?: readonly string[]
  /**
   * Opens the wire; resolves when messages may be sent. Called once.
   * @throws SpawnFailedError, TransportClosedError or the wire's own error. `signal` aborts the attempt and leaves nothing behind.
   */
  open(events: TransportEvents, signal: AbortSignal): Promise<void>
  /** Whether messages need `headers`; default false. */
  readonly carriesHeaders?: boolean
  /** Whether it gets credentials where they are missing, and says so by `authorizing`; default false. */
  readonly getsCredentials?: boolean
  /**
   * Present where every request has an exchange of its own: ends the one of that request, which is how a modern server on HTTP
   * hears of a cancellation. On a shared pipe a notification says it.
   */
  abandon?(id: RequestId): void
  /**
   * Present where an older wire can be tried at the same address (HTTP+SSE of 2024-11-05): resolves when it is open and carries
   * what is sent from now on. @throws HttpError when the server does not offer it.
   */
  fallBack?(signal: AbortSignal): Promise<void>
  /**
   * Present where reading can wait, both or none: from `pause` to `resume` nothing more is read, and the system holds the server
   * back; what was read already may still be told, and stderr goes on. Idempotent.
   */
  pause?(): void
  resume?(): void
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
  /**
   * The exchange of one request failed; it will get no answer. The wire goes on. `wasRefused` says that the server certainly did
   * not execute it, so that it may be sent again.
   */
  failed?(id: RequestId, failure: McpError, wasRefused: boolean): void
  /** A legacy server forgot the session: nothing is answered until `initialize` was sent again. Comes before the `failed` it caused. */
  sessionLost?(): void
  /** The legacy stream on which a server speaks unasked: open, waiting to be opened again, or not offered. */
  stream?(state: 'open' | 'waiting' | 'absent'): void
  /** A request waits for credentials, maybe for a person who signs in; or none does any more. Meanwhile nobody is late. */
  authorizing?(isUnderWay: boolean): void
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
