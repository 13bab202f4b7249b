import type { Clock } from '../../src/clock.ts'
import { messageHeaders } from '../../src/protocol/message-headers.ts'
import { notificationText } from '../../src/protocol/requests.ts'
import type { Headers, Outbound, Transport } from '../../src/transports/transport.ts'
import type { Uplink } from '../frames.ts'
import type { Address } from './correlator.ts'
import type { Inspection } from './inspection.ts'
import type { Readiness } from './readiness.ts'

export interface SenderParts {
  readonly transport: Transport
  readonly readiness: Readiness
  readonly clock: Clock
  readonly up: (frame: Uplink) => void
  readonly isTracing: boolean
  readonly inspection: Inspection
}

/** What leaves for the server: traced, given its headers where the wire carries any, and taken back as the era wants it. */
export class Sender {
  readonly #parts: SenderParts
  readonly #startedAtMs: number

  constructor(parts: SenderParts) {
    this.#parts = parts
    this.#startedAtMs = parts.clock.now()
  }

  send(message: Outbound, address?: Address): void {
    const { transport } = this.#parts
    this.trace('sent', message.text)
    transport.send(
      transport.carriesHeaders ? { ...message, headers: this.#headers(message, address) } : message,
    )
  }

  /** Where every request has an exchange of its own, a modern server hears of it by its end, a legacy one does not. */
  tellCancelled(requestId: number, reason: string): void {
    const { transport, readiness } = this.#parts
    if (transport.abandon && readiness.era === 'modern') return transport.abandon(requestId)
    const method = 'notifications/cancelled'
    this.send({ kind: 'notification', method, text: notificationText(method, { requestId, reason }) })
    transport.abandon?.(requestId)
  }

  /** Shows a message to whoever reads along; `message` is its text parsed, where it was. */
  trace(direction: 'sent' | 'received', text: string, message?: unknown): void {
    const { isTracing, clock, inspection, up } = this.#parts
    if (inspection.isOn) inspection.message(direction, text, message)
    if (isTracing) up({ kind: 'trace', trace: { direction, atMs: clock.now() - this.#startedAtMs, text } })
  }

  #headers(
    message: Outbound,
    { version = this.#parts.readiness.peer?.version, subject, params }: Address = {},
  ): Headers {
    const method = message.kind === 'response' ? undefined : message.method
    return messageHeaders({ version, method, subject, params })
  }
}
