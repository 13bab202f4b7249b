import type { MessagePort } from 'node:worker_threads'
import type { ClientCapabilities } from '../src/protocol/capabilities.ts'
import type { Implementation } from '../src/protocol/implementation.ts'
import type { JsonRpcErrorObject } from '../src/protocol/json-rpc.ts'
import type { LoggingLevel } from '../src/protocol/logging.ts'
import type { Progress } from '../src/protocol/progress.ts'
import type { Era } from '../src/protocol/versions.ts'

/** One call of a tool whose handler is in a module: the task of a thread. */
export interface ToolTask {
  /** The URL of the module, and which of its exports is the handler. */
  readonly module: string
  readonly exportName: string
  readonly args: unknown
  readonly facts: CallFacts
  readonly port: MessagePort
  /** How many characters of `ToldFrame`s the host has heard; shared, and wraps around. */
  readonly heard: Int32Array
}

/** What a thread knows of the request it works for. */
export interface CallFacts {
  readonly era: Era
  readonly protocolVersion: string
  readonly clientInfo: Implementation | undefined
  readonly clientCapabilities: ClientCapabilities
  readonly logLevel: LoggingLevel | undefined
  readonly principal: string | undefined
}

/** What comes from the thread; the last three are the end of it. */
export type ToolFrame =
  /** A thread has the call. */
  { readonly kind: 'began' } | ToldFrame | Outcome

/** `chars`: how long it is as text. */
export type ToldFrame = { readonly chars: number } & (
  | { readonly kind: 'progress'; readonly report: Progress }
  | { readonly kind: 'log'; readonly level: LoggingLevel; readonly data: unknown }
)

export type Outcome =
  /** As JSON text. */
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'threw'; readonly message: string }
  /** A ProtocolError was thrown. */
  | { readonly kind: 'refused'; readonly error: JsonRpcErrorObject }
