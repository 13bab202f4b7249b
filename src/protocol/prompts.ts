import type { ContentBlock, Role } from './content.ts'
import type { Icon } from './implementation.ts'
import type { JsonObject } from './json-rpc.ts'

/** Source: server/prompts; schema `Prompt`, `GetPromptResult`. */
export interface Prompt {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments?: readonly PromptArgument[]
  readonly icons?: readonly Icon[]
  readonly _meta?: JsonObject
}

export interface PromptArgument {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required?: boolean
}

/** A rendered conversation. */
export interface GetPromptResult {
  readonly description?: string
  readonly messages: readonly PromptMessage[]
  readonly _meta?: JsonObject
}

export interface PromptMessage {
  readonly role: Role
  readonly content: ContentBlock
}
