import { type ErrorData, toErrorData } from '../src/error-data.ts'
import { HttpError, ProtocolError, TimeoutError, UnsupportedVersionError } from '../src/errors.ts'
import type { ServerCapabilities } from '../src/protocol/capabilities.ts'
import { namedVersions } from '../src/protocol/discovery.ts'
import { type HandshakeOutcome, type HandshakeVerdict, judgeHandshake } from '../src/protocol/handshake.ts'
import type { Implementation } from '../src/protocol/implementation.ts'
import { judgeProbe, type ProbeMemory, type ProbeOutcome, type ProbeVerdict } from '../src/protocol/probe.ts'
import { type Era, offeredLegacyVersion } from '../src/protocol/versions.ts'
import type { HandshakeAnswer, ProbeAnswer } from './connection-events.ts'
import { inShort, longestText } from './in-short.ts'

/** What the machine needs to know to decide. Times in ms. */
export interface ConnectionInput {
  /** Modern versions, best first. */
  readonly protocolVersions: readonly string[]
  readonly era: 'auto' | Era
  readonly connectTimeoutMs: number
  readonly probeTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly maxInputRounds: number
  /** A wire that does not end by then will not; default 30 000. */
  readonly closeTimeoutMs?: number
  /** Whether an older wire can be tried at the same address; default false. */
  readonly hasOlderWire?: boolean
}

/** What is known of a connection: small, serialisable, safe to show. */
export interface ConnectionContext {
  readonly options: ConnectionInput
  readonly era: Era | undefined
  readonly version: string | undefined
  /** What a modern server named; empty in the legacy era. */
  readonly supportedVersions: readonly string[]
  readonly capabilities: ServerCapabilities
  readonly serverInfo: Implementation | undefined
  readonly instructions: string | undefined
  /** Versions asked by the probe that is under way or was last. */
  readonly asked: readonly string[]
  /** What a disjoint DiscoverResult named before the handshake was tried. */
  readonly listed: readonly string[] | undefined
  readonly evidence: readonly ProbeEvidence[]
  /** The wire that carries the connection: as given, or the older one it fell back to. */
  readonly wire: 'given' | 'older'
  /** Where a legacy server on HTTP speaks unasked. */
  readonly stream: 'open' | 'waiting' | 'absent' | undefined
  /** Sessions lost in a row, without an answer to any call between. */
  readonly sessionLosses: number
  /** Calls and questions that wait for input right now. */
  readonly waiting: number
  readonly failure: ErrorData | undefined
}

/** One step of finding out: what was asked, what came back, after how long, what was concluded. */
export interface ProbeEvidence {
  readonly asked: 'server/discover' | 'initialize'
  readonly version: string
  /** What it says of itself, in short. */
  readonly answer: ProbeOutcome | HandshakeOutcome | Unanswered
  /** Unknown where the connection ended before an answer. */
  readonly afterMs: number | undefined
  /** `raised`: no signal of an era; the connection failed. */
  readonly verdict: ProbeVerdict['kind'] | HandshakeVerdict['kind'] | 'raised'
  readonly reason: string
}

/** The connection ended before the question was answered. */
export interface Unanswered {
  readonly kind: 'gone'
  readonly because: string
}

export function initialContext(options: ConnectionInput): ConnectionContext {
  return {
    options,
    era: undefined,
    version: undefined,
    supportedVersions: [],
    capabilities: {},
    serverInfo: undefined,
    instructions: undefined,
    asked: [],
    listed: undefined,
    evidence: [],
    wire: 'given',
    stream: undefined,
    sessionLosses: 0,
    waiting: 0,
    failure: undefined,
  }
}

/** 0 is no budget, as for any request. */
export function budget(ms: number): number {
  return ms || Number.POSITIVE_INFINITY
}

/** What one probe answer says, as the machine's guards ask it. */
export function verdict(context: ConnectionContext, outcome: ProbeOutcome): ProbeVerdict['kind'] {
  return judgeProbe(outcome, probeMemory(context)).kind
}

function probeMemory(context: ConnectionContext): ProbeMemory {
  return { preferred: context.options.protocolVersions, asked: context.asked }
}

/** The version the next probe asks for: what the last verdict named, else our first. */
export function nextAsked({ asked, options }: ConnectionContext): Partial<ConnectionContext> {
  return asked.length ? {} : { asked: options.protocolVersions.slice(0, 1) }
}

/** Everything one probe answer teaches. */
export function concluded(
  context: ConnectionContext,
  { outcome, afterMs }: ProbeAnswer,
): Partial<ConnectionContext> {
  const judgement = judgeProbe(outcome, probeMemory(context))
  const version = context.asked.at(-1) ?? ''
  const evidence: ProbeEvidence = {
    asked: 'server/discover',
    version,
    answer: inShort(outcome),
    afterMs,
    verdict: judgement.kind,
    reason: judgement.reason,
  }
  return { evidence: withEvidence(context, evidence), ...learned(context, judgement, outcome) }
}

/** No answer within the budget, as an answer. */
export function silence(context: ConnectionContext): ProbeAnswer {
  return { outcome: { kind: 'silence' }, afterMs: context.options.probeTimeoutMs }
}

/** Sessions a server may forget in a row: behind some balancers no session ever holds. */
export const mostSessionLosses = 4

export function unstableFailure(): ErrorData {
  const reason = `The server forgot ${mostSessionLosses} sessions in a row before it answered a call; are its instances behind a balancer that keeps no sessions?`
  return toErrorData(new HttpError({ status: 404, reason }))
}

/** A question the connection did not survive. */
export function unanswered(
  context: ConnectionContext,
  asked: ProbeEvidence['asked'],
  failure: ErrorData | undefined,
): Partial<ConnectionContext> {
  const because = failure?.message ?? 'the connection was closed'
  const version = asked === 'initialize' ? offeredLegacyVersion : (context.asked.at(-1) ?? '')
  const answer: Unanswered = { kind: 'gone', because }
  const evidence: ProbeEvidence = {
    asked,
    version,
    answer,
    afterMs: undefined,
    verdict: 'raised',
    reason: because,
  }
  return { failure, evidence: withEvidence(context, evidence) }
}

/**
 * Whether the handshake refuses what only a modern server can mean: one that was too slow to start for its probe. Believed once,
 * or a server that is both silent and modern would be asked for ever.
 */
export function wasMisjudged(context: ConnectionContext, { outcome }: HandshakeAnswer): boolean {
  const verdict = judgeHandshake(outcome)
  const silences = context.evidence.filter(({ answer }) => answer.kind === 'silence')
  const namesOurs =
    verdict.kind === 'refused' &&
    context.options.protocolVersions.some((ours) => verdict.supported.includes(ours))
  return namesOurs && silences.length === 1 && context.evidence.at(-1) === silences[0]
}

/** Everything the handshake teaches; a refusal also why the connection fails. */
export function shaken(
  context: ConnectionContext,
  { outcome, afterMs }: HandshakeAnswer,
): Partial<ConnectionContext> {
  const verdict = judgeHandshake(outcome)
  const known = noted(context, { outcome, afterMs })
  if (verdict.kind === 'refused') return { ...known, failure: refusal(context, outcome, verdict.supported) }
  const { version, capabilities, serverInfo, instructions } = verdict
  return { ...known, era: 'legacy', version, capabilities, serverInfo, instructions, supportedVersions: [] }
}

/** A handshake as evidence alone: it may yet succeed on an older wire. */
export function noted(
  context: ConnectionContext,
  { outcome, afterMs }: HandshakeAnswer,
): Partial<ConnectionContext> {
  const { kind: verdict, reason } = judgeHandshake(outcome)
  const evidence: ProbeEvidence = {
    asked: 'initialize',
    version: offeredLegacyVersion,
    answer: inShort(outcome),
    afterMs,
    verdict,
    reason,
  }
  return { evidence: withEvidence(context, evidence) }
}

/** A server that listed its versions is no server of the older wire. */
export function mayTakeOlderWire({ options, wire, listed }: ConnectionContext): boolean {
  return options.hasOlderWire === true && wire === 'given' && listed === undefined
}

export function silentFailure(context: ConnectionContext, method: string): ErrorData {
  const { connectTimeoutMs, probeTimeoutMs, requestTimeoutMs } = context.options
  const [timeoutMs, option] =
    method === 'connect'
      ? [connectTimeoutMs, 'connectTimeoutMs']
      : method === 'server/discover'
        ? [probeTimeoutMs, 'probeTimeoutMs']
        : [requestTimeoutMs, 'requestTimeoutMs']
  return toErrorData(new TimeoutError({ method, timeoutMs, option }))
}

export function failureOf(error: unknown): ErrorData {
  return toErrorData(error)
}

/** A connection that is probed again and again keeps its last evidence. */
const mostEvidence = 20

function withEvidence({ evidence }: ConnectionContext, last: ProbeEvidence): readonly ProbeEvidence[] {
  const reason = last.reason.slice(0, longestText)
  return [...evidence, { ...last, reason }].slice(-mostEvidence)
}

function learned(
  context: ConnectionContext,
  verdict: ProbeVerdict,
  outcome: ProbeOutcome,
): Partial<ConnectionContext> {
  switch (verdict.kind) {
    case 'modern':
      return { era: 'modern', version: verdict.version, ...verdict.discovery }
    case 'probeAgain':
      return { asked: [...context.asked, verdict.version] }
    case 'legacy':
      return context.options.era === 'modern'
        ? { failure: unsupported(context, verdict.listed ?? namedBy(outcome)) }
        : { listed: verdict.listed }
    case 'unsupported':
      return { failure: unsupported(context, verdict.supported) }
  }
}

/** Why a refused handshake ends the connection: what the server listed before and names now, else its own error. */
function refusal(context: ConnectionContext, outcome: HandshakeOutcome, named: readonly string[]): ErrorData {
  const { listed } = context
  if (outcome.kind === 'http' && !listed) {
    const reason = `The server answered neither server/discover nor initialize: HTTP ${outcome.status}; is the URL an MCP endpoint?`
    return toErrorData(new HttpError({ status: outcome.status, reason }))
  }
  if (outcome.kind === 'error' && !listed && !named.length)
    return toErrorData(new ProtocolError(outcome.error))
  return unsupported(context, [...new Set([...(listed ?? []), ...named])])
}

function namedBy(outcome: ProbeOutcome): readonly string[] {
  return outcome.kind === 'error' ? namedVersions(outcome.error.data) : []
}

function unsupported(context: ConnectionContext, supported: readonly string[]): ErrorData {
  const { era, protocolVersions } = context.options
  const requested = [
    ...(era === 'legacy' ? [] : protocolVersions),
    ...(era === 'modern' ? [] : [offeredLegacyVersion]),
  ]
  return toErrorData(new UnsupportedVersionError({ requested, supported }))
}
