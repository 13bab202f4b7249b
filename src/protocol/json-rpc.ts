/** JSON-RPC 2.0 as MCP uses it: ids are strings or integers, `params` is an object. Source: basic, "Messages". */

export type JsonObject = { readonly [key: string]: unknown }
export type RequestId = string | number

export interface JsonRpcErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** A notification as it is handed to applications. */
export interface Notification {
  readonly method: string
  readonly params: JsonObject
}

/** Anything a peer can send, after classification. `invalid` is dropped with a warning, never fatal. */
export type Inbound =
  | { readonly kind: 'result'; readonly id: RequestId; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly id: RequestId | null; readonly error: JsonRpcErrorObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: JsonObject }
  /** `isAnswer`: it names no method, so `id` is one of ours; else `id` is the peer's own. */
  | {
      readonly kind: 'invalid'
      readonly id: RequestId | null
      readonly isAnswer: boolean
      readonly reason: string
    }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

/** Says what an inbound message is. Never throws. An error may come without an id: then `id` is null. */
export function classify(message: JsonObject): Inbound {
  const { id, method } = message
  if (message.jsonrpc !== '2.0') return invalid(message, 'jsonrpc is not "2.0"')
  if (typeof method === 'string') return classifyCall(message, method)
  if (method !== undefined) return invalid(message, 'method is not a string')
  const { result, error } = message
  if (error !== undefined && result !== undefined) return invalid(message, 'both result and error')
  if (error !== undefined) return classifyError(message, error)
  if (result === undefined) return invalid(message, 'neither method, result nor error')
  if (!isRequestId(id)) return invalid(message, 'a result without a usable id')
  if (!isObject(result)) return invalid(message, 'result is not an object')
  return { kind: 'result', id, result }
}

function classifyCall(message: JsonObject, method: string): Inbound {
  const params = message.params ?? {}
  if (!isObject(params)) return invalid(message, 'params is not an object')
  if (!('id' in message)) return { kind: 'notification', method, params }
  if (!isRequestId(message.id)) return invalid(message, 'a request without a usable id')
  return { kind: 'request', id: message.id, method, params }
}

function classifyError(inbound: JsonObject, error: unknown): Inbound {
  const { id } = inbound
  if (id !== undefined && id !== null && !isRequestId(id))
    return invalid(inbound, 'an error without a usable id')
  if (!isObject(error) || !Number.isInteger(error.code))
    return invalid(inbound, 'error without an integer code')
  const message = typeof error.message === 'string' ? error.message : `error ${error.code}`
  const body: JsonRpcErrorObject = {
    code: error.code as number,
    message,
    ...('data' in error && { data: error.data }),
  }
  return { kind: 'error', id: idOf(inbound), error: body }
}

function invalid(message: JsonObject, reason: string): Inbound {
  return { kind: 'invalid', id: idOf(message), isAnswer: message.method === undefined, reason }
}

function idOf({ id }: JsonObject): RequestId | null {
  return isRequestId(id) ? id : null
}
