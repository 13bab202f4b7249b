import type { ToolCall } from '../bridge/provider.ts'
import type { ElicitResult } from '../protocol/elicitation.ts'
import type { InputRequest } from '../protocol/input-requests.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'

/** What a hook gets besides the question. */
export interface HookContext {
  /** Aborts when the answer is no longer wanted: the call ended, or the server took its question back. */
  readonly signal: AbortSignal
  /** Who `executeToolCalls` said would answer; of a legacy server only when all calls under way agree. */
  readonly claim?: string
  /** The model's call that raises the question. Legacy servers do not say which. */
  readonly toolCall?: ToolCall
}

/** Answers one kind of question with the body of the matching result. Throwing, or returning no object, declines. */
export type Hook<Result> = (request: InputRequest, context: HookContext) => Result | Promise<Result>

/** The hooks a host may wire. A hook that is set is declared to servers as a capability. */
export interface Hooks {
  /** `elicitation/create`: ask a person. Fields left out of an accepted form get their schema's defaults. */
  readonly onElicit?: Hook<ElicitResult>
  /** `sampling/createMessage`: ask a model. Returns a CreateMessageResult: `{ role, content, model, stopReason? }`. */
  readonly onSample?: Hook<JsonObject>
  /** `roots/list`: returns `{ roots: [{ uri: 'file:///…', name? }] }`. */
  readonly onListRoots?: Hook<JsonObject>
}
