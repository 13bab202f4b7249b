import type { Icon } from './implementation.ts'
import type { JsonObject } from './json-rpc.ts'

/** What tools and prompts answer with. Source: server/tools, "Tool result"; schema `ContentBlock`. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource

interface Block {
  readonly annotations?: Annotations
  readonly _meta?: JsonObject
}

/** Hints about whom content is for; `priority` 0 to 1, `lastModified` ISO 8601. */
export interface Annotations {
  readonly audience?: readonly Role[]
  readonly priority?: number
  readonly lastModified?: string
}

export type Role = 'user' | 'assistant'

export interface TextContent extends Block {
  readonly type: 'text'
  readonly text: string
}

/** `data` is base64. */
export interface ImageContent extends Block {
  readonly type: 'image'
  readonly data: string
  readonly mimeType: string
}

/** `data` is base64. */
export interface AudioContent extends Block {
  readonly type: 'audio'
  readonly data: string
  readonly mimeType: string
}

export interface ResourceLink extends Block {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly size?: number
  readonly icons?: readonly Icon[]
}

export interface EmbeddedResource extends Block {
  readonly type: 'resource'
  readonly resource: ResourceContents
}

/** Exactly one of `text` and `blob` (base64). */
export interface ResourceContents {
  readonly uri: string
  readonly mimeType?: string
  readonly text?: string
  readonly blob?: string
  readonly _meta?: JsonObject
}
