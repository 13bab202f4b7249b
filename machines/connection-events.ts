import type { ErrorData } from '../src/error-data.ts'
import type { HandshakeOutcome } from '../src/protocol/handshake.ts'
import type { ProbeOutcome } from '../src/protocol/probe.ts'
import type { ConnectionContext } from './connection-facts.ts'
import type { RoundTripContext, RoundTripOutcome } from './round-trip.ts'

/** Everything the machine of a connection is told. */
export type ConnectionEvent =
  | { readonly type: 'open' }
  | { readonly type: 'close' }
  | { readonly type: 'wire.closed'; readonly failure: ErrorData | undefined }
  | { readonly type: 'version.refused' }
  | { readonly type: 'call.inputRequired'; readonly call: string; readonly asks: number }
  | {
      readonly type: 'call.becameTask'
      readonly call: string
      readonly asks: number
      readonly pollIntervalMs: number
    }
  | { readonly type: 'call.abandoned'; readonly call: string }
  | {
      readonly type: 'roundTrip.settled'
      readonly call: string
      readonly beganAs: RoundTripContext['beganAs']
      readonly outcome: RoundTripOutcome
    }
  | { readonly type: 'session.lost' }
  | { readonly type: 'session.proven' }
  | { readonly type: 'stream.changed'; readonly stream: NonNullable<ConnectionContext['stream']> }
  | { readonly type: 'question.opened' }
  | { readonly type: 'question.settled' }

/** One answer to `server/discover`, and how long it took. */
export interface ProbeAnswer {
  readonly outcome: ProbeOutcome
  readonly afterMs: number
}

/** The answer to `initialize`, and how long it took. */
export interface HandshakeAnswer {
  readonly outcome: HandshakeOutcome
  readonly afterMs: number
}
