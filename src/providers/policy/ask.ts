import type { ToolCall } from '../../bridge/provider.ts'
import type { ElicitResult } from '../../protocol/elicitation.ts'
import type { InputRequest } from '../../protocol/input-requests.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { Decision, Rule } from './rule.ts'
import type { Evaluation } from './rule-set.ts'

/** Whether a call may be made. Everything in it is a copy. */
export interface PermissionRequest extends Pick<Evaluation, 'reason' | 'rule' | 'paths' | 'suggestion'> {
  readonly kind: 'permission'
  readonly tool: string
  readonly arguments: JsonObject
  readonly call: ToolCall
}

/** A question of a server's own, `elicitation/create`; answered with an ElicitResult. */
export interface ElicitationRequest {
  readonly kind: 'server-elicit'
  readonly request: InputRequest
}

export type AskRequest = PermissionRequest | ElicitationRequest

/** What is remembered. Its decision is the action's; one that is given is not looked at. */
export type GrantedRule = Omit<Rule, 'decision'> & { readonly decision?: Decision }

export type PermissionAnswer =
  | { readonly action: 'allow-once' | 'deny-once' }
  /** `rule` or `rules`, not both; default the request's suggestion. One that is not valid refuses the call, and none is remembered. */
  | {
      readonly action: 'always-allow' | 'always-deny'
      readonly rule?: GrantedRule
      readonly rules?: readonly GrantedRule[]
    }

export interface AskContext {
  /** Aborts when the answer is no longer wanted: the batch was aborted, the server died or was replaced, or time is up. */
  readonly signal: AbortSignal
}

/** Puts a question to a person. Throwing, or any other answer, refuses that one call. */
export type OnAsk = (
  request: AskRequest,
  context: AskContext,
) => PermissionAnswer | ElicitResult | Promise<PermissionAnswer | ElicitResult>
