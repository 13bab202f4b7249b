import { type Discovery, namedVersions, readDiscovery } from './discovery.ts'
import { ErrorCode } from './error-codes.ts'
import type { JsonObject, JsonRpcErrorObject } from './json-rpc.ts'
import { isLegacyVersion } from './versions.ts'

/** What came of one `server/discover`. Death, a closed wire or an abort is no outcome: it ends the connection. */
export type ProbeOutcome =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: JsonRpcErrorObject }
  | { readonly kind: 'silence' }
  /** Over HTTP: a status that is an answer of no modern server. Walls, faults and lost connections are raised instead. */
  | { readonly kind: 'http'; readonly status: number }

/** What was known when the question went out. */
export interface ProbeMemory {
  /** Modern versions of ours, best first. */
  readonly preferred: readonly string[]
  /** Every version asked so far, in order; the last one is what `outcome` answers. */
  readonly asked: readonly string[]
}

export type ProbeVerdict =
  | {
      readonly kind: 'modern'
      readonly version: string
      readonly discovery: Discovery | undefined
      readonly reason: string
    }
  | { readonly kind: 'probeAgain'; readonly version: string; readonly reason: string }
  /** `listed` is what a disjoint DiscoverResult named: to be told when the handshake is refused too. */
  | { readonly kind: 'legacy'; readonly listed: readonly string[] | undefined; readonly reason: string }
  | { readonly kind: 'unsupported'; readonly supported: readonly string[]; readonly reason: string }

/** The era probe's whole judgement. Source: basic/versioning and basic/transports/stdio, "Backward compatibility". */
export function judgeProbe(outcome: ProbeOutcome, memory: ProbeMemory): ProbeVerdict {
  switch (outcome.kind) {
    case 'silence':
      return { kind: 'legacy', listed: undefined, reason: 'no answer within the probe budget' }
    case 'http':
      return {
        kind: 'legacy',
        listed: undefined,
        reason: `HTTP ${outcome.status} is no answer of a modern server`,
      }
    case 'result':
      return judgeResult(outcome.result, memory)
    case 'error':
      return judgeError(outcome.error, memory)
  }
}

function judgeResult(result: JsonObject, { preferred }: ProbeMemory): ProbeVerdict {
  const discovery = readDiscovery(result)
  if (!discovery) return { kind: 'legacy', listed: undefined, reason: 'the answer is no DiscoverResult' }
  const version = preferred.find((ours) => discovery.supportedVersions.includes(ours))
  if (version) return { kind: 'modern', version, discovery, reason: `the server names ${version}` }
  const { supportedVersions } = discovery
  const reason = supportedVersions.length
    ? `the server names only ${supportedVersions.join(', ')}`
    : 'the server names no version'
  return { kind: 'legacy', listed: supportedVersions, reason }
}

function judgeError(error: JsonRpcErrorObject, memory: ProbeMemory): ProbeVerdict {
  switch (error.code) {
    case ErrorCode.UnsupportedProtocolVersion:
      return judgeRefusal(namedVersions(error.data), memory)
    case ErrorCode.HeaderMismatch:
    case ErrorCode.MissingRequiredClientCapability:
      return {
        kind: 'modern',
        version: memory.asked.at(-1) ?? '',
        discovery: undefined,
        reason: `only a modern server answers ${error.code}`,
      }
    default:
      return { kind: 'legacy', listed: undefined, reason: `error ${error.code}: ${error.message}` }
  }
}

function judgeRefusal(supported: readonly string[], { preferred, asked }: ProbeMemory): ProbeVerdict {
  const sent = asked.at(-1)
  const other = preferred.find((ours) => supported.includes(ours) && !asked.includes(ours))
  if (other) return { kind: 'probeAgain', version: other, reason: `-32022 names ${other}` }
  if (sent !== undefined && supported.includes(sent)) {
    const sentBefore = asked.filter((version) => version === sent).length > 1
    return sentBefore
      ? { kind: 'unsupported', supported, reason: `-32022 names ${sent}, which it refused twice` }
      : { kind: 'probeAgain', version: sent, reason: `-32022 names ${sent}, the very version sent` }
  }
  const legacy = supported.find(isLegacyVersion)
  const namesOurs = supported.some((version) => preferred.includes(version))
  if (legacy && !namesOurs) return { kind: 'legacy', listed: undefined, reason: `-32022 names ${legacy}` }
  return { kind: 'unsupported', supported, reason: '-32022 names no version of ours' }
}

/** Whether an HTTP status tells of an era: a refusal or a non-answer does; authorisation, congestion and faults do not. */
export function isEraSignal(status: number): boolean {
  const isAnswered = status >= 200 && status < 300
  const isRefused = status >= 400 && status < 500 && ![401, 403, 407, 408, 429].includes(status)
  return isAnswered || isRefused
}
