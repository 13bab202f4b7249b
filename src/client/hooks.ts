import type { ToolCall } from '../bridge/provider.ts'
import type { ElicitRequest, ElicitResult } from '../protocol/elicitation.ts'
import type { ListRootsRequest, ListRootsResult } from '../protocol/roots.ts'
import type { CreateMessageRequest, CreateMessageResult } from '../protocol/sampling.ts'

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
export type Hook<Request, Result> = (request: Request, context: HookContext) => Result | Promise<Result>

/** The hooks a host may wire. A hook that is set is declared to servers as a capability. */
export interface Hooks {
  /** `elicitation/create`: ask a person. Fields left out of an accepted form get their schema's defaults. */
  readonly onElicit?: Hook<ElicitRequest, ElicitResult>
  /** `sampling/createMessage`: ask a model. */
  readonly onSample?: Hook<CreateMessageRequest, CreateMessageResult>
  /** `roots/list`: returns `{ roots: [{ uri: 'file:///…', name? }] }`. */
  readonly onListRoots?: Hook<ListRootsRequest, ListRootsResult>
}
