import type { StateValue } from 'xstate'
import type { ConnectionContext, MachineName } from '../machines/index.ts'
import type { ToolCall } from '../src/bridge/provider.ts'
import type { ErrorData } from '../src/error-data.ts'
import type { HookName } from '../src/protocol/capabilities.ts'
import type { JsonObject, Notification, RequestId } from '../src/protocol/json-rpc.ts'
import type { LoggingLevel } from '../src/protocol/logging.ts'
import type { Progress, ProgressToken } from '../src/protocol/progress.ts'
import type { SubscriptionFilter } from '../src/protocol/subscriptions.ts'
import type { Task } from '../src/protocol/tasks.ts'
import type { Credentials, CredentialsRequest, Refusal } from '../src/transports/http/credentials.ts'

/** The data plane between a host and its connection: everything that crosses, in either direction, is one of these. */

/** The host's number for one call; never seen by the server. */
export type CallId = number

/** How long a call may take; `timeoutMs` pauses while a hook of the call is open, `maxTotalTimeoutMs` does not. 0: no budget. */
export interface Budget {
  readonly timeoutMs?: number
  readonly maxTotalTimeoutMs?: number
}

export type ListMethod = 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list'

/** Host to connection. */
export type Downlink =
  | CallFrame
  | {
      readonly kind: 'list'
      readonly id: CallId
      readonly method: ListMethod
      readonly refresh: boolean
      readonly budget: Budget | undefined
    }
  | { readonly kind: 'listen'; readonly id: CallId; readonly filter: SubscriptionFilter }
  | { readonly kind: 'setLevel'; readonly id: CallId; readonly level: LoggingLevel }
  | { readonly kind: 'cancel'; readonly id: CallId }

export interface CallFrame {
  readonly kind: 'call'
  readonly id: CallId
  readonly method: string
  /** JSON text of an object, without `_meta`. */
  readonly params: string
  /** The name or uri the call is about. */
  readonly subject: string | undefined
  /** Members of the caller's own `_meta`, as JSON text without braces; or ''. */
  readonly meta: string
  /** The caller's own token; true mints one. */
  readonly progress: ProgressToken | true | undefined
  readonly refresh: boolean
  readonly budget: Budget | undefined
  /** `text`: a tool's answer is flattened for a model, and its result is a `ToolOutcome`. */
  readonly as?: 'text'
  /** A model's own id of its call. */
  readonly toolCallId?: string
  /** Who answers the questions the call raises. */
  readonly claim?: string
}

/** Connection to host. */
export type Uplink =
  /** `size` estimates the result's length as text, which decides how it crosses. */
  | { readonly kind: 'result'; readonly id: CallId; readonly result: unknown; readonly size: number }
  | { readonly kind: 'failure'; readonly id: CallId; readonly error: ErrorData }
  | { readonly kind: 'task'; readonly id: CallId; readonly task: Task }
  | { readonly kind: 'progress'; readonly id: CallId; readonly report: Progress }
  | { readonly kind: 'notification'; readonly notification: Notification }
  /** Whatever was listed of the tools may be out of date. */
  | { readonly kind: 'toolsChanged' }
  /** A notification of the subscription that call `id` opened. */
  | { readonly kind: 'subscribed'; readonly id: CallId; readonly notification: Notification }
  | { readonly kind: 'unsubscribed'; readonly id: CallId; readonly error: ErrorData | undefined }
  | { readonly kind: 'snapshot'; readonly snapshot: ConnectionSnapshot }
  /** The machine moved, and nothing new is known of the server: what is known stays. */
  | { readonly kind: 'moved'; readonly value: ConnectionState; readonly counters: ConnectionCounters }
  | { readonly kind: 'warning'; readonly message: string }
  | { readonly kind: 'stderr'; readonly line: string }
  | { readonly kind: 'trace'; readonly trace: Trace }
  | { readonly kind: 'sight'; readonly sight: Sight }
  | { readonly kind: 'spawned'; readonly processGroupId: number }
  | { readonly kind: 'reaped'; readonly processGroupId: number }

/** What of a context changes while a connection lives. */
export type ConnectionCounters = Pick<ConnectionContext, 'waiting' | 'stream' | 'sessionLosses'>

/** The machine's state as the host mirrors it. */
export interface ConnectionSnapshot {
  readonly value: ConnectionState
  readonly context: ConnectionContext
}

export type ConnectionState =
  | 'idle'
  | 'opening'
  | 'probing'
  | 'legacyHandshake'
  | 'fallingBack'
  | { readonly legacy: 'ready' | 'inputRequired' }
  | { readonly modern: 'ready' | 'inputRequired' }
  | 'closing'
  | 'closed'

/** One message on the wire. `atMs` counts from the start of the connection. */
export interface Trace {
  readonly direction: 'sent' | 'received'
  readonly atMs: number
  readonly text: string
}

/**
 * What is seen of a connection while somebody watches, besides the snapshots of its machine; without secrets, and cut to a size.
 * `actor` is the path of ids below the connection's own machine, which itself is ''.
 */
export type Sight =
  | { readonly kind: 'actor'; readonly actor: string; readonly machine: MachineName }
  | {
      readonly kind: 'event'
      readonly actor: string
      /** Who sent it: an actor's path, or the name of what the machine invoked. */
      readonly source: string | undefined
      readonly event: SeenEvent
    }
  | {
      readonly kind: 'state'
      readonly actor: string
      readonly value: StateValue
      readonly context: unknown
      readonly status: 'active' | 'done' | 'error' | 'stopped'
    }
  | { readonly kind: 'message'; readonly direction: Trace['direction']; readonly message: SeenMessage }

export interface SeenEvent {
  readonly type: string
  readonly [key: string]: unknown
}

/** A message on the wire; `text` is JSON again, `size` the length of what was really sent. */
export interface SeenMessage {
  /** Its method; `result` or `error` for an answer. */
  readonly type: string
  readonly id?: RequestId
  readonly size: number
  readonly text: string
}

/** One question for the host, on the control plane. */
export interface Question {
  readonly id: number
  readonly hook: HookName
  readonly method: string
  readonly params: JsonObject
  /** The call it belongs to, where the protocol says so (never on a legacy stdio server). */
  readonly call: CallId | undefined
  /** The same call as the model made it, if it was one. */
  readonly toolCall?: ToolCall
  /** Of the call; where the question names none, the one that every call under way carries. */
  readonly claim?: string
}

/** What the host offers its connections to ask. Narrow on purpose: it is exposed to another thread. */
export interface HookDesk {
  /** Resolves with the body of the matching result; rejects when the hook threw. */
  ask(question: Question): Promise<unknown>
  /** The question no longer matters: the hook's signal aborts. */
  withdraw(questionId: number): void
  /** Headers for the next request over HTTP, where the host gave a function for them. */
  headers(): Promise<{ readonly [name: string]: string }>
  /** What that request shows to the server, where the host signs in. */
  credentials(request: CredentialsRequest): Promise<DeskAnswer<Credentials>>
  /** The server wants something else than it was shown: answered when there is something. */
  refused(refusal: Refusal): Promise<DeskAnswer<undefined>>
}

/** What crosses threads by an exception is no error of ours any more. */
export type DeskAnswer<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'failed'; readonly error: ErrorData }
