import type { ErrorData } from '../error-data.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { Progress } from '../protocol/progress.ts'

/**
 * Anything that has tools for a model: a client, a server, a registry, and every layer over one. Layers stack, so each answers
 * as the one below it would: declarations to publish, and one result for every call.
 */
export interface Provider {
  /** The catalogue as function declarations. Throws when it cannot be listed. */
  toolsForLlm(): Promise<readonly ToolDeclaration[]>
  /** Runs a model's calls. Never throws: result n answers call n, and a failure is a result with `is_error`. */
  executeToolCalls(calls: readonly ToolCall[], options?: ExecuteOptions): Promise<readonly ToolResult[]>
  /** Tells of what changes below; every layer passes on its inner provider's events. Returns what stops it. */
  on?<Event extends keyof ProviderEventMap>(
    event: Event,
    listener: (value: ProviderEventMap[Event]) => void,
  ): () => void
}

/** A tool as the chat APIs of models take it. `parameters` is JSON Schema. */
export interface ToolDeclaration {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: JsonObject
  }
}

/** What a model asks for. `arguments` is an object, or its JSON text; an empty string is no arguments. */
export interface ToolCall {
  readonly id: string
  readonly function: {
    readonly name: string
    readonly arguments: string | JsonObject
  }
  /** Crosses the wire as `_meta`; models never see it. */
  readonly meta?: JsonObject
}

/** What a model reads. */
export interface ToolResult {
  readonly role: 'tool'
  readonly tool_call_id: string
  readonly content: string
  readonly is_error: boolean
  /** The tool's `structuredContent`, beside the text. */
  readonly structured_content?: unknown
  /** A mutation ran although no lease could be judged to cover it. */
  readonly leases_warning?: string
  /** The result's `_meta`; models never see it. */
  readonly meta?: JsonObject
}

export interface ExecuteOptions {
  /**
   * Aborting cancels the calls under way and withdraws the questions they opened; each answers with `is_error`. A provider in a
   * registry that goes on is not waited for longer than a second: of its calls it is said that they may have taken effect.
   */
  readonly signal?: AbortSignal
  /** Names who answers the questions these calls raise; the outermost layer's claim wins. */
  readonly claim?: string
  /**
   * Set by a policy where it asked somebody, and passed on as it is: binds the calls to what their tools belonged to before. What a
   * registry loses meanwhile takes the names of its tools with it; calls of them are answered with `is_error`, and not run by what came
   * in its place.
   */
  readonly asOf?: number
  /** Progress of any call of the batch. */
  readonly onProgress?: (report: CallProgress) => void
}

export interface CallProgress extends Pick<Progress, 'progress' | 'total' | 'message'> {
  readonly toolCallId: string
}

export interface ProviderEventMap {
  readonly child: ChildEvent
  readonly catalogue: CatalogueEvent
}

/** A supervised server changed its state. */
export interface ChildEvent {
  /** The names of the registries' entries from the outermost in; one, unless registries nest. */
  readonly path: readonly string[]
  readonly state: ChildState
  /** Counts the starts; answers and questions of an earlier generation are dead. */
  readonly generation: number
  /** Its tools, by the names this layer publishes. */
  readonly tools: readonly string[]
  /** Why it went down. */
  readonly failure?: ErrorData
}

export type ChildState = 'stopped' | 'starting' | 'up' | 'backingOff' | 'exhausted' | 'stopping'

/** The published tools may have changed: list again. */
export interface CatalogueEvent {
  readonly path: readonly string[]
  /** The tools whose provider was taken out, by the names this layer published; told at once. */
  readonly removed?: readonly string[]
}
