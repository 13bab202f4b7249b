import type { Clock } from '../../src/clock.ts'
import { toErrorData } from '../../src/error-data.ts'
import type { McpError } from '../../src/errors.ts'
import { isObject, type Notification } from '../../src/protocol/json-rpc.ts'
import { MetaKey } from '../../src/protocol/meta.ts'
import { readHonoured, type SubscriptionFilter } from '../../src/protocol/subscriptions.ts'
import type { Budget, CallId, Uplink } from '../frames.ts'
import type { Correlator } from './correlator.ts'
import type { Exchanges } from './exchange.ts'
import { LegacySubscriptions } from './legacy-subscriptions.ts'
import { Listens } from './listens.ts'
import type { Mending } from './mending.ts'
import type { Peer } from './peer.ts'
import type { Readiness } from './readiness.ts'

export interface SubscriptionsParts {
  readonly clock: Clock
  readonly correlator: Correlator
  readonly exchanges: Exchanges
  readonly readiness: Readiness
  readonly mending: Mending
  readonly budget: Budget
  readonly up: (frame: Uplink) => void
  readonly tellCancelled: (requestId: number, reason: string) => void
  /** A stream of notes broke and stands again: some may have been missed. */
  readonly onReopened: () => void
}

/** How a subscription tells the host of itself: acknowledged by a result, then notes, then its end. */
export interface SubscriptionVoice {
  acknowledged(id: CallId, honoured: SubscriptionFilter): void
  refused(id: CallId, failure: unknown): void
  note(id: CallId, notification: Notification): void
  /** `failure` is undefined when either side ended it on purpose. */
  ended(id: CallId, failure: McpError | undefined): void
}

/** What the host listens to, in either era. */
export class Subscriptions {
  readonly #modern: Listens
  readonly #legacy: LegacySubscriptions

  constructor(parts: SubscriptionsParts) {
    const voice = voiceOver(parts.up)
    this.#modern = new Listens(parts, voice)
    this.#legacy = new LegacySubscriptions(parts, voice)
  }

  open(id: CallId, filter: SubscriptionFilter, peer: Peer): void {
    if (peer.era === 'modern') this.#modern.open(id, filter, peer)
    else void this.#legacy.open(id, filter)
  }

  close(id: CallId): void {
    this.#modern.close(id)
    this.#legacy.close(id)
  }

  /** A new session of the same server knows nothing of the old one's subscriptions. */
  renew(): void {
    this.#legacy.renew()
  }

  /** Hands a notification to the subscriptions it belongs to. */
  deliver(notification: Notification): void {
    const { method, params } = notification
    const requestId = isObject(params._meta) ? params._meta[MetaKey.subscriptionId] : undefined
    if (typeof requestId !== 'number') return this.#legacy.deliver(notification)
    const isAcknowledgement = method === 'notifications/subscriptions/acknowledged'
    if (isAcknowledgement) this.#modern.acknowledge(requestId, readHonoured(params))
    else this.#modern.deliver(requestId, notification)
  }

  /** A modern server may also end a subscription with `notifications/cancelled`. */
  cancelledByServer(requestId: unknown): void {
    if (typeof requestId === 'number') this.#modern.cancelledByServer(requestId)
  }

  failAll(failure: McpError): void {
    this.#modern.failAll(failure)
    this.#legacy.failAll(failure)
  }
}

function voiceOver(up: (frame: Uplink) => void): SubscriptionVoice {
  return {
    acknowledged: (id, honoured) => up({ kind: 'result', id, result: honoured, size: 0 }),
    refused: (id, failure) => up({ kind: 'failure', id, error: toErrorData(failure) }),
    note: (id, notification) => up({ kind: 'subscribed', id, notification }),
    ended: (id, failure) => up({ kind: 'unsubscribed', id, error: failure && toErrorData(failure) }),
  }
}
