import type { ContentBlock } from './content.ts'
import type { Icon } from './implementation.ts'
import type { JsonObject } from './json-rpc.ts'

/** A tool as its server lists it. Source: server/tools; schema `Tool`. */
export interface Tool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  readonly annotations?: ToolAnnotations
  readonly icons?: readonly Icon[]
  readonly _meta?: JsonObject
}

/** Untrusted hints. Absent means: not read-only, destructive, not idempotent, open world. */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** A tool's answer. `isError` is part of a good result, not an exception. */
export interface CallToolResult {
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly _meta?: JsonObject
}
