import type { ElicitResult } from '../../protocol/elicitation.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { Root } from '../../protocol/roots.ts'
import type { CreateMessageResult } from '../../protocol/sampling.ts'

export interface AskOptions {
  /**
   * Names the question among those of one call; default its kind and how many of them came before. Give one where which questions are
   * asked depends on more than the answers so far.
   */
  readonly key?: string
}

/** What a person is asked for: a flat form, or to open a page. */
export type Elicitation =
  | { readonly mode?: 'form'; readonly message: string; readonly requestedSchema: JsonObject }
  | { readonly mode: 'url'; readonly message: string; readonly url: string }

/** What a model of the client's is asked for; members as in `sampling/createMessage`. */
export interface Sampling {
  readonly messages: readonly JsonObject[]
  readonly maxTokens: number
  readonly [member: string]: unknown
}

/**
 * What a handler may ask of its caller. In the modern era nothing waits: the call ends with the questions, and when the caller comes back
 * with the answers the handler runs again from its beginning. So effects belong after the last question. Questions asked at once
 * (`Promise.all`) go out at once. A client that did not declare the kind of question is an error.
 */
export interface Questions {
  elicit(question: Elicitation, options?: AskOptions): Promise<ElicitResult>
  sample(question: Sampling, options?: AskOptions): Promise<CreateMessageResult>
  roots(options?: AskOptions): Promise<readonly Root[]>
}
