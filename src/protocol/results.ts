import { type InputRequests, mostQuestions, readInputRequests } from './input-requests.ts'
import { isObject, type JsonObject } from './json-rpc.ts'
import { readTask, type TaskReading } from './tasks.ts'
import type { Era } from './versions.ts'

/** How long and for whom a result may be kept. */
export interface CacheHint {
  readonly ttlMs: number
  readonly cacheScope: 'public' | 'private'
}

/** A result, read once: what the caller gets is stripped of the protocol's bookkeeping, which was acted on. */
export type ResultReading =
  | { readonly kind: 'complete'; readonly result: JsonObject; readonly cache: CacheHint | undefined }
  | {
      readonly kind: 'input_required'
      readonly inputRequests: InputRequests
      readonly requestState: string | undefined
    }
  /** The server made a task of the call; only for clients that declared the extension. */
  | { readonly kind: 'task'; readonly reading: TaskReading }
  | { readonly kind: 'invalid'; readonly reason: string }

/** Reads a result of either era. Legacy results have no bookkeeping; an absent `resultType` means complete. */
export function readResult(result: JsonObject, era: Era): ResultReading {
  if (era === 'legacy') return { kind: 'complete', result, cache: undefined }
  const { resultType = 'complete' } = result
  if (resultType === 'complete') return { kind: 'complete', result: strip(result), cache: cacheHint(result) }
  if (resultType === 'input_required') return readInputRequired(result)
  if (resultType === 'task') return readTaskResult(result)
  return {
    kind: 'invalid',
    reason: `unknown resultType ${typeof resultType === 'string' ? JSON.stringify(resultType.slice(0, 100)) : typeof resultType}`,
  }
}

/** The methods whose answer may be `input_required`. */
export function mayAskForInput(method: string): boolean {
  return method === 'tools/call' || method === 'resources/read' || method === 'prompts/get'
}

/** A task as a result; `tasks/get` answers with one too, under another `resultType`. */
export function readTaskResult(result: JsonObject): ResultReading {
  const reading = readTask(result)
  return reading ? { kind: 'task', reading } : { kind: 'invalid', reason: 'malformed task' }
}

function readInputRequired(result: JsonObject): ResultReading {
  const { requestState, inputRequests = {} } = result
  if (requestState !== undefined && typeof requestState !== 'string') {
    return { kind: 'invalid', reason: 'requestState is not a string' }
  }
  const requests = readInputRequests(inputRequests)
  if (!requests) return { kind: 'invalid', reason: 'malformed inputRequests' }
  const asked = Object.keys(requests).length
  if (asked > mostQuestions) return { kind: 'invalid', reason: `${asked} questions at once` }
  if (requestState === undefined && Object.keys(requests).length === 0) {
    return { kind: 'invalid', reason: 'input_required with neither inputRequests nor requestState' }
  }
  return { kind: 'input_required', inputRequests: requests, requestState }
}

function cacheHint(result: JsonObject): CacheHint | undefined {
  const { ttlMs, cacheScope } = result
  if (typeof ttlMs !== 'number' || !(ttlMs > 0)) return undefined
  return { ttlMs, cacheScope: cacheScope === 'public' ? 'public' : 'private' }
}

function strip(result: JsonObject): JsonObject {
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, _meta, ...rest } = result
  const meta = ownMeta(_meta)
  return meta ? { ...rest, _meta: meta } : rest
}

/** The server's own `_meta` reaches the caller; the protocol's keys do not. */
function ownMeta(meta: unknown): JsonObject | undefined {
  if (!isObject(meta)) return undefined
  const own = Object.entries(meta).filter(([key]) => !key.startsWith('io.modelcontextprotocol/'))
  return own.length ? Object.fromEntries(own) : undefined
}
