import { namedVersions } from '../src/protocol/discovery.ts'
import type { HandshakeOutcome } from '../src/protocol/handshake.ts'
import { isObject, type JsonObject } from '../src/protocol/json-rpc.ts'
import { MetaKey } from '../src/protocol/meta.ts'
import type { ProbeOutcome } from '../src/protocol/probe.ts'

export const longestText = 500
const mostVersions = 50

/** An answer as evidence keeps it: what a verdict hangs on, cut to a size that may be shown again and again. */
export function inShort<Outcome extends ProbeOutcome | HandshakeOutcome>(outcome: Outcome): Outcome
export function inShort(outcome: ProbeOutcome | HandshakeOutcome): ProbeOutcome | HandshakeOutcome {
  if (outcome.kind === 'result') return { kind: 'result', result: selfInShort(outcome.result) }
  if (outcome.kind !== 'error') return outcome
  const { code, message, data } = outcome.error
  const supported = namedVersions(data).slice(0, mostVersions)
  return {
    kind: 'error',
    error: { code, message: message.slice(0, longestText), ...(supported.length && { data: { supported } }) },
  }
}

function selfInShort(result: JsonObject): JsonObject {
  const { resultType, supportedVersions, protocolVersion, capabilities, serverInfo, _meta } = result
  const info = serverInfo ?? (isObject(_meta) ? _meta[MetaKey.serverInfo] : undefined)
  return {
    ...(typeof resultType === 'string' && { resultType: resultType.slice(0, longestText) }),
    ...(Array.isArray(supportedVersions) && {
      supportedVersions: supportedVersions.slice(0, mostVersions).map(text),
    }),
    ...(protocolVersion !== undefined && { protocolVersion: text(protocolVersion) }),
    ...(isObject(capabilities) && { capabilities: Object.keys(capabilities).slice(0, mostVersions) }),
    ...(isObject(info) && { serverInfo: { name: text(info.name), version: text(info.version) } }),
  }
}

/** Not by String(): an object may have no primitive value. */
function text(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, longestText)
}
