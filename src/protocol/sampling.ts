import type { AudioContent, ImageContent, Role, TextContent } from './content.ts'
import type { JsonObject } from './json-rpc.ts'

/** The server wants a model asked. Source: client/sampling; schema `CreateMessageRequest`. */
export interface CreateMessageRequest {
  readonly method: 'sampling/createMessage'
  readonly params: CreateMessageRequestParams
}

/** All but the messages and `maxTokens` are wishes. */
export type CreateMessageRequestParams = {
  readonly messages: readonly SamplingMessage[]
  readonly maxTokens: number
  readonly systemPrompt?: string
  readonly temperature?: number
  readonly stopSequences?: readonly string[]
  readonly modelPreferences?: ModelPreferences
  readonly includeContext?: 'none' | 'thisServer' | 'allServers'
  /** For the model's vendor. */
  readonly metadata?: JsonObject
  /** Tools as `Tool`, only for clients that declare `sampling.tools`. */
  readonly tools?: readonly JsonObject[]
  readonly toolChoice?: { readonly mode?: 'auto' | 'required' | 'none' }
}

export type SamplingMessage = {
  readonly role: Role
  readonly content: SamplingContent | readonly SamplingContent[]
}

export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent

export interface ToolUseContent {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: JsonObject
}

export interface ToolResultContent {
  readonly type: 'tool_result'
  readonly toolUseId: string
  /** Blocks as in the result of a tool. */
  readonly content: readonly JsonObject[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
}

/** Priorities are 0 to 1; of the hints, parts of names, the first that fits. */
export type ModelPreferences = {
  readonly hints?: readonly { readonly name?: string }[]
  readonly costPriority?: number
  readonly speedPriority?: number
  readonly intelligencePriority?: number
}

/** What the model said. Schema `CreateMessageResult`. */
export interface CreateMessageResult extends SamplingMessage {
  readonly model: string
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or what the vendor calls it. */
  readonly stopReason?: string
}
