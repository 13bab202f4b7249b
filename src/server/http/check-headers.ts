import { ProtocolError } from '../../errors.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import { readHeaderValue } from '../../protocol/header-values.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { subjectOf } from '../../protocol/message-headers.ts'
import { type ParamHeader, paramHeaders, valueAt } from '../../protocol/param-headers.ts'

/** What of a request must stand in its headers too, so that gateways need not read bodies. */
export interface MirroredRequest {
  readonly method: string
  readonly params: JsonObject
  readonly protocolVersion: string
  /** Of the tool that is called. */
  readonly paramHeaders: readonly ParamHeader[]
}

/** Compares headers with the body they speak of. @throws ProtocolError for what is missing, malformed or different */
export function checkHeaders(request: MirroredRequest, header: (name: string) => string | undefined): void {
  const { method, params, protocolVersion, paramHeaders: mirrored } = request
  compare('MCP-Protocol-Version', header('mcp-protocol-version'), protocolVersion)
  compare('Mcp-Method', header('mcp-method'), method)
  const member = subjectOf(method)
  const subject = member === undefined ? undefined : params[member]
  if (typeof subject === 'string') compareDecoded('Mcp-Name', header('mcp-name'), subject)
  if (mirrored.length > 0) checkParams(mirrored, params.arguments, header)
}

function checkParams(
  mirrored: readonly ParamHeader[],
  args: unknown,
  header: (name: string) => string | undefined,
): void {
  const expected = paramHeaders(mirrored, isObject(args) ? args : {})
  for (const { name, path } of mirrored) {
    const full = `Mcp-Param-${name}`
    const given = header(full.toLowerCase())
    const wanted = expected[full]
    if (wanted === undefined) {
      if (given !== undefined) throw mismatch(`${full} is there, but the body has no such value`)
      continue
    }
    const isSameNumber =
      typeof valueAt(args, path) === 'number' && Number(given) === Number(wanted) && given !== ''
    if (!isSameNumber) compareDecoded(full, given, readHeaderValue(wanted) ?? wanted)
  }
}

function compareDecoded(name: string, given: string | undefined, wanted: string): void {
  const decoded = given === undefined ? undefined : readHeaderValue(given)
  if (given !== undefined && decoded === undefined) throw mismatch(`${name} is not the base64 it says it is`)
  compare(name, decoded, wanted)
}

function compare(name: string, given: string | undefined, wanted: string): void {
  if (given === undefined) throw mismatch(`${name} is missing`)
  if (given !== wanted) throw mismatch(`${name} is not what the body says`)
}

function mismatch(message: string): ProtocolError {
  return new ProtocolError({ code: ErrorCode.HeaderMismatch, message: `Header mismatch: ${message}` })
}
