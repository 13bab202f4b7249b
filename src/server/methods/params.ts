import { ProtocolError } from '../../errors.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'

/** @throws ProtocolError when the member is no string */
export function nameOf(params: JsonObject, member: string): string {
  const name = params[member]
  if (typeof name === 'string') return name
  throw invalidParams(`${member} must be a string`)
}

export function invalidParams(message: string, data?: unknown): ProtocolError {
  return new ProtocolError({ code: ErrorCode.InvalidParams, message, ...(data !== undefined && { data }) })
}
