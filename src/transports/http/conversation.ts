import { HttpError, type McpError } from '../../errors.ts'
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
    this.traffic = new Traffic(wire, events, (failure) => this.#sessionLost(failure))
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

  /** The stream on which all answers would come is gone. */
  failAll(failure: McpError): void {
    this.#refuseHeld(failure)
    this.traffic.failAll(failure)
  }

  /** Ends everything under way without a word. */
  stop(): void {
    this.#gate.empty()
    this.#listening.stop()
    this.traffic.stop()
  }

  #begin(message: Outbound): void {
    const reason = `${this.traffic.wire.endpoint.address}: a new handshake began before this was sent`
    this.#refuseHeld(new HttpError({ status: 0, reason }))
    this.#listening.stop()
    this.traffic.session.drop()
    this.traffic.send(message)
  }

  #begun(message: Outbound): void {
    this.#gate.open()
    const { isAnsweredElsewhere } = this.traffic
    this.traffic.send(message, (isAccepted) =>
      isAccepted && !isAnsweredElsewhere ? this.#listen() : this.#gate.open(),
    )
    this.#gate.close(acceptedWithinMs)
  }

  #listen(): void {
    if (this.#gate.isClosed) this.#gate.close(listeningWithinMs)
    this.#listening.start(() => this.#gate.open())
  }

  /** What waited was meant for that session: it is refused, and so can be sent in the next one. */
  #sessionLost(failure: McpError): void {
    const held = this.#gate.empty()
    this.#listening.stop()
    this.traffic.events.sessionLost?.()
    for (const message of held) this.traffic.undelivered(message, failure, true)
  }

  #refuseHeld(failure: McpError): void {
    for (const message of this.#gate.empty()) this.traffic.undelivered(message, failure, true)
  }
}

/** A request that overtook this notification would come before the server is ready for it. */
const acceptedWithinMs = 10_000
/** Some servers send no head before their first event. */
const listeningWithinMs = 1_000
