import type { RequestId } from '../../protocol/json-rpc.ts'
import type { Outbound, TransportEvents } from '../transport.ts'
import { InitializedGate } from './initialized-gate.ts'
import { ListeningStream } from './listening-stream.ts'
import { Traffic } from './traffic.ts'
import type { Wire } from './wire.ts'

/**
 * All messages of one transport, and the two among them at which a legacy server is different: `initialize` begins a session, and
 * after `notifications/initialized` the server's own stream is opened before anything else is sent. A server may ask its first
 * question on that stream, in the middle of the first call.
 */
export class Conversation {
  readonly traffic: Traffic
  readonly #gate: InitializedGate
  readonly #listening: ListeningStream

  constructor(wire: Wire, events: TransportEvents) {
    this.traffic = new Traffic(wire, events, () => this.#listening.stop())
    this.#gate = new InitializedGate(wire.clock, (message) => this.traffic.send(message))
    this.#listening = new ListeningStream(this.traffic)
  }

  send(message: Outbound): void {
    if (message.kind === 'request' && message.method === 'initialize') this.#begin(message)
    else if (message.kind === 'notification' && message.method === 'notifications/initialized')
      this.#begun(message)
    else this.#gate.send(message)
  }

  abandon(id: RequestId): void {
    this.#gate.abandon(id)
    this.traffic.abandon(id)
  }

  /** Ends everything under way without a word. */
  stop(): void {
    this.#gate.drop()
    this.#listening.stop()
    this.traffic.stop()
  }

  #begin(message: Outbound): void {
    this.#gate.open()
    this.#listening.stop()
    this.traffic.session.drop()
    this.traffic.send(message)
  }

  #begun(message: Outbound): void {
    this.#gate.open()
    if (this.traffic.isAnsweredElsewhere) return this.traffic.send(message)
    this.traffic.send(message, (isAccepted) => (isAccepted ? this.#listen() : this.#gate.open()))
    this.#gate.close(acceptedWithinMs)
  }

  #listen(): void {
    if (this.#gate.isClosed) this.#gate.close(listeningWithinMs)
    this.#listening.start(() => this.#gate.open())
  }
}

/** A request that overtook this notification would come before the server is ready for it. */
const acceptedWithinMs = 10_000
/** Some servers send no head before their first event. */
const listeningWithinMs = 1_000
