import { ProtocolError } from '../../errors.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import type { JsonObject, JsonRpcErrorObject, RequestId } from '../../protocol/json-rpc.ts'
import { resultText } from '../../protocol/requests.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { isProtocolError } from './protocol-error.ts'

/** The answer to one request, as the JSON text that goes on the wire. */
export type Reply =
  | { readonly kind: 'result'; readonly text: string }
  | { readonly kind: 'error'; readonly code: number; readonly text: string }

/** `more` are further members of the result, as JSON text without braces. @throws TypeError for what is no JSON */
export function resultReply(id: RequestId, result: JsonObject, more?: string): Reply {
  return { kind: 'result', text: resultText(id, result, more) }
}

/** Whatever was thrown as an error of the protocol; undefined ids are of messages nobody could read. */
export function errorReply(id: RequestId | undefined, thrown: unknown): Reply {
  const error = errorObject(thrown)
  return {
    kind: 'error',
    code: error.code,
    text: JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), error }),
  }
}

/** The same as an object, which is JSON: data that is none is left out. */
export function errorObject(thrown: unknown): JsonRpcErrorObject {
  if (!isProtocolError(thrown))
    return { code: ErrorCode.InternalError, message: `The server failed: ${thrownMessage(thrown)}` }
  const { code, message, data } = thrown
  try {
    return { code, message, ...(data !== undefined && { data: JSON.parse(JSON.stringify(data)) }) }
  } catch {
    return { code, message }
  }
}

/** What a message is told that is none. */
export function invalidReply(id: RequestId | null, reason: string): Reply {
  const refusal = new ProtocolError({ code: ErrorCode.InvalidRequest, message: `Invalid message: ${reason}` })
  return errorReply(id ?? undefined, refusal)
}
