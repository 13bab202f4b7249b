import type { SnapshotFrom } from 'xstate'
import { type ConnectionEvent, type ConnectionInput, connectionMachine } from '../../machines/index.ts'
import type { RoundTripOutcome } from '../../machines/round-trip.ts'
import { type Paths, realPaths } from './paths.ts'
import { handshakeAnswers, ours, probeAnswers } from './probe-answers.ts'

export type LifeSnapshot = SnapshotFrom<typeof connectionMachine>

/** What may happen to a connection: events of its own, and what its actors come back with. */
export type LifeEvent = ConnectionEvent | { readonly type: ActorEvent; readonly output?: unknown }

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
  /** Calls that may be asked for input, and how each one's round trip ends. */
  readonly calls: { readonly [call: string]: RoundTripOutcome }
  /** Questions of a legacy server, or of any before its era is known. */
  readonly hasQuestion: boolean
  readonly mayRefuseVersion: boolean
}

export const exceeded: RoundTripOutcome = { kind: 'exceeded', rounds: 1 }

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
  return { value, era: context.era, waiting: context.waiting, roundTrips: roundTrips.sort() }
}

function possible(snapshot: LifeSnapshot, { calls, hasQuestion, mayRefuseVersion }: Bounds): LifeEvent[] {
  const { context } = snapshot
  const { waiting, roundTrips } = seen(snapshot)
  const isAsked = waiting > roundTrips.length
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
  ]
  const isReady = snapshot.matches('modern') || snapshot.matches('legacy')
  if (mayRefuseVersion) events.push({ type: 'version.refused' })
  if (hasQuestion && isReady) events.push({ type: isAsked ? 'question.settled' : 'question.opened' })
  for (const [call, outcome] of Object.entries(calls)) {
    if (roundTrips.includes(call))
      events.push({ type: 'roundTrip.settled', call, beganAs: 'question', outcome })
    else if (context.era === 'modern') events.push({ type: 'call.inputRequired', call, asks: 1 })
  }
  return events
}
