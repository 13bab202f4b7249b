import type { ClientCapabilities } from './capabilities.ts'
import { type Discovery, namedVersions, readSelf } from './discovery.ts'
import type { Implementation } from './implementation.ts'
import type { JsonObject, JsonRpcErrorObject } from './json-rpc.ts'
import { isLegacyVersion, type LegacyVersion, offeredLegacyVersion } from './versions.ts'

export function initializeParams(clientInfo: Implementation, capabilities: ClientCapabilities): JsonObject {
  // Extensions are of the modern era.
  const { extensions: _modern, ...legacy } = capabilities
  return { protocolVersion: offeredLegacyVersion, capabilities: legacy, clientInfo }
}

/** What came of `initialize`. */
export type HandshakeOutcome =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: JsonRpcErrorObject }
  /** Over HTTP: a status that is no answer; an older wire may be tried. */
  | { readonly kind: 'http'; readonly status: number }

/** Agreed on a version of ours, or not; `supported` is what the server named instead. */
export type HandshakeVerdict =
  | ({ readonly kind: 'agreed'; readonly version: LegacyVersion; readonly reason: string } & Omit<
      Discovery,
      'supportedVersions'
    >)
  | { readonly kind: 'refused'; readonly supported: readonly string[]; readonly reason: string }

/** A server may answer with another version than the one offered; that is no error as long as it is one of ours. */
export function judgeHandshake(outcome: HandshakeOutcome): HandshakeVerdict {
  if (outcome.kind === 'http')
    return { kind: 'refused', supported: [], reason: `HTTP ${outcome.status} is no answer` }
  if (outcome.kind === 'error') {
    const { code, message, data } = outcome.error
    return { kind: 'refused', supported: namedVersions(data), reason: `error ${code}: ${message}` }
  }
  const { protocolVersion, serverInfo } = outcome.result
  if (isLegacyVersion(protocolVersion)) {
    return {
      kind: 'agreed',
      version: protocolVersion,
      reason: `agreed on ${protocolVersion}`,
      ...readSelf(outcome.result, serverInfo),
    }
  }
  const isNamed = typeof protocolVersion === 'string'
  const supported = isNamed ? [protocolVersion] : []
  return {
    kind: 'refused',
    supported,
    reason: isNamed ? `the server insists on ${protocolVersion}` : 'the answer names no version',
  }
}
