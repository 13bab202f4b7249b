import { connectionMachine } from './connection.ts'
import { roundTripMachine } from './round-trip.ts'

export type { ConnectionEvent, HandshakeAnswer, ProbeAnswer } from './connection.ts'
export type { ConnectionContext, ConnectionInput, ProbeEvidence } from './connection-facts.ts'
export type { RetryOutcome, RoundTripContext, RoundTripInput, RoundTripOutcome } from './round-trip.ts'
export { connectionMachine, roundTripMachine }

/** Every statechart of this package by name: what the pictures are drawn from. */
export const machines = { connection: connectionMachine, roundTrip: roundTripMachine }

export type MachineName = keyof typeof machines
