import type { SnapshotFrom } from 'xstate'
import { type ConnectionEvent, type ConnectionInput, connectionMachine } from '../../machines/index.ts'
import type { RoundTripOutcome } from '../../machines/round-trip.ts'
import { type Paths, realPaths } from './paths.ts'
import { handshakeAnswers, ours, probeAnswers } from './probe-answers.ts'

export type LifeSnapshot = SnapshotFrom<typeof connectionMachine>

/** What may happen to a connection: events of its own, and what its actors come back with. */
export type LifeEvent =
  | ConnectionEvent
  | { readonly type: ActorEvent; readonly output?: unknown }
  | { readonly type: 'xstate.after.closeTimeout.connection.closing' }

type ActorEvent = `xstate.${'done' | 'error'}.actor.0.connection.${Actor}`
type Actor = 'opening' | 'probing' | 'legacyHandshake' | 'closing'

export const lifeInput: ConnectionInput = {
  protocolVersions: ours,
  era: 'auto',
  connectTimeoutMs: 300,
  probeTimeoutMs: 50,
  requestTimeoutMs: 600,
  maxInputRounds: 1,
}

/** How much may go on at once, so that the model stays small. */
export interface Bounds {
  /** Calls that are not answered at once: what becomes of each. */
  readonly calls: { readonly [call: string]: LongCall }
  /** Questions of a legacy server, or of any before its era is known. */
  readonly hasQuestion: boolean
  readonly mayRefuseVersion: boolean
  readonly mayLoseSession: boolean
}

export interface LongCall {
  readonly beganAs: 'question' | 'task'
  readonly outcome: RoundTripOutcome
}

export const pollIntervalMs = 250

export function lifePaths(bounds: Bounds): Paths<LifeSnapshot, LifeEvent> {
  return realPaths<LifeSnapshot, LifeEvent>(connectionMachine, {
    input: lifeInput,
    events: (snapshot) => possible(snapshot, bounds),
    serialize: (snapshot) => JSON.stringify(seen(snapshot)),
  })
}

/** What makes two moments of a connection alike. */
export function seen({ value, context, children }: LifeSnapshot) {
  const roundTrips = Object.keys(children).filter((child) => child.startsWith('call-'))
  const { era, waiting, sessionLosses } = context
  return { value, era, waiting, sessionLosses, roundTrips: roundTrips.sort() }
}

function possible(snapshot: LifeSnapshot, bounds: Bounds): LifeEvent[] {
  const { calls, hasQuestion, mayRefuseVersion, mayLoseSession } = bounds
  const { context } = snapshot
  const { waiting, roundTrips } = seen(snapshot)
  const isAsked = waiting > roundTrips.filter((call) => calls[call]?.beganAs === 'question').length
  const events: LifeEvent[] = [
    { type: 'open' },
    { type: 'close' },
    { type: 'wire.closed', failure: undefined },
    { type: 'xstate.done.actor.0.connection.opening' },
    {
      type: 'xstate.done.actor.0.connection.probing',
      output: { outcome: probeAnswers['names first'], afterMs: 1 },
    },
    {
      type: 'xstate.done.actor.0.connection.probing',
      output: { outcome: probeAnswers['method not found'], afterMs: 1 },
    },
    {
      type: 'xstate.done.actor.0.connection.legacyHandshake',
      output: { outcome: handshakeAnswers['agrees on 2025-11-25'], afterMs: 1 },
    },
    { type: 'xstate.done.actor.0.connection.closing' },
    { type: 'xstate.error.actor.0.connection.closing' },
    { type: 'xstate.after.closeTimeout.connection.closing' },
  ]
  const isReady = snapshot.matches('modern') || snapshot.matches('legacy')
  if (mayLoseSession) events.push({ type: 'session.lost' }, { type: 'session.proven' })
  if (mayRefuseVersion) events.push({ type: 'version.refused' })
  if (hasQuestion && isReady) events.push({ type: isAsked ? 'question.settled' : 'question.opened' })
  for (const [call, { beganAs, outcome }] of Object.entries(calls)) {
    if (roundTrips.includes(call)) events.push({ type: 'roundTrip.settled', call, beganAs, outcome })
    else if (context.era === 'modern') events.push(begun(call, beganAs))
  }
  return events
}

function begun(call: string, beganAs: LongCall['beganAs']): LifeEvent {
  return beganAs === 'task'
    ? { type: 'call.becameTask', call, asks: 0, pollIntervalMs }
    : { type: 'call.inputRequired', call, asks: 1 }
}
