import type { ClientCapabilities } from './capabilities.ts'
import type { Implementation } from './implementation.ts'
import type { JsonObject, RequestId } from './json-rpc.ts'
import type { LoggingLevel } from './logging.ts'
import { MetaKey } from './meta.ts'
import type { ProgressToken } from './progress.ts'

/** What a modern request says about itself. */
export interface Stamp {
  readonly version: string
  readonly clientInfo: Implementation
  readonly clientCapabilities: ClientCapabilities
  readonly logLevel?: LoggingLevel
}

/** The members every modern request's `_meta` carries, as JSON text without its braces; made once, spliced into every message. */
export function stampText(stamp: Stamp): string {
  return membersText({
    [MetaKey.protocolVersion]: stamp.version,
    [MetaKey.clientInfo]: stamp.clientInfo,
    [MetaKey.clientCapabilities]: stamp.clientCapabilities,
    ...(stamp.logLevel && { [MetaKey.logLevel]: stamp.logLevel }),
  })
}

/** The members of one request's own `_meta`, in the same form. */
export function ownMetaText(meta: JsonObject | undefined, progressToken: ProgressToken | undefined): string {
  if (meta === undefined && progressToken === undefined) return ''
  return membersText({ ...meta, ...(progressToken !== undefined && { progressToken }) })
}

/**
 * One request as JSON text. `params` is a JSON object's text without `_meta`; `meta` the joined members of its `_meta`, or ''.
 * Text is spliced, not parsed: arguments are serialised once, where the caller is.
 */
export function requestText(id: RequestId, method: string, params: string, meta: string): string {
  return `{"jsonrpc":"2.0","id":${idText(id)},"method":${JSON.stringify(method)},"params":${withMeta(params, meta)}}`
}

export function notificationText(method: string, params: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params })
}

/** `more` are further members of the result, as `membersText` writes them. @throws TypeError for what is no JSON */
export function resultText(id: RequestId, result: JsonObject, more = ''): string {
  return `{"jsonrpc":"2.0","id":${idText(id)},"result":{${joinMembers(membersText(result), more)}}}`
}

export function errorText(id: RequestId, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}

/** Joins what is present of several members texts. */
export function joinMembers(first: string, second: string): string {
  if (!first) return second
  return second ? `${first},${second}` : first
}

function withMeta(params: string, meta: string): string {
  if (!meta) return params
  return params === '{}' ? `{"_meta":{${meta}}}` : `${params.slice(0, -1)},"_meta":{${meta}}}`
}

function idText(id: RequestId): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id)
}

/** An object as JSON text without its braces. @throws TypeError for what is no JSON, or is written as anything else */
export function membersText(object: JsonObject): string {
  const text: string | undefined = JSON.stringify(object)
  if (!text?.startsWith('{')) throw new TypeError('is written as no JSON object')
  return text.slice(1, -1)
}
