import type { Clock } from '../../src/clock.ts'
import { toErrorData } from '../../src/error-data.ts'
import { type McpError, ProtocolError, TimeoutError, TransportClosedError } from '../../src/errors.ts'
import type { Notification } from '../../src/protocol/json-rpc.ts'
import { isObject } from '../../src/protocol/json-rpc.ts'
import { MetaKey } from '../../src/protocol/meta.ts'
import { matchesFilter, readHonoured, type SubscriptionFilter } from '../../src/protocol/subscriptions.ts'
import type { Budget, CallId, Uplink } from '../frames.ts'
import type { Correlator } from './correlator.ts'
import { Deadline } from './deadline.ts'
import type { Exchanges } from './exchange.ts'
import type { Peer } from './peer.ts'

export interface SubscriptionsParts {
  readonly clock: Clock
  readonly correlator: Correlator
  readonly exchanges: Exchanges
  readonly budget: Budget
  readonly up: (frame: Uplink) => void
  readonly tellCancelled: (requestId: number, reason: string) => void
}

/** What the host listens to. The result of a listen is what the server honours; notes follow until either side ends it. */
export class Subscriptions {
  readonly #parts: SubscriptionsParts
  readonly #modern = new Map<number, { id: CallId; acknowledge: (honoured: SubscriptionFilter) => void }>()
  readonly #legacy = new Map<CallId, SubscriptionFilter>()

  constructor(parts: SubscriptionsParts) {
    this.#parts = parts
  }

  open(id: CallId, filter: SubscriptionFilter, peer: Peer): void {
    if (peer.era === 'modern') this.#listen(id, filter, peer)
    else void this.#subscribe(id, filter)
  }

  /** Whether `id` was an open subscription; it is no longer. */
  close(id: CallId): boolean {
    for (const [requestId, subscription] of this.#modern) {
      if (subscription.id !== id) continue
      this.#modern.delete(requestId)
      if (this.#parts.correlator.forget(requestId))
        this.#parts.tellCancelled(requestId, 'the host stopped listening')
      this.#ended(id, undefined)
      return true
    }
    const filter = this.#legacy.get(id)
    if (!filter) return false
    this.#legacy.delete(id)
    this.#unsubscribe(filter)
    this.#ended(id, undefined)
    return true
  }

  /** Hands a notification to the subscriptions it belongs to. */
  deliver(notification: Notification): void {
    const { method, params } = notification
    const subscriptionId = isObject(params._meta) ? params._meta[MetaKey.subscriptionId] : undefined
    if (typeof subscriptionId === 'number') {
      const subscription = this.#modern.get(subscriptionId)
      if (!subscription) return
      if (method === 'notifications/subscriptions/acknowledged')
        subscription.acknowledge(readHonoured(params))
      else this.#parts.up({ kind: 'subscribed', id: subscription.id, notification })
      return
    }
    for (const [id, filter] of this.#legacy) {
      if (matchesFilter(filter, method, params)) this.#parts.up({ kind: 'subscribed', id, notification })
    }
  }

  /** A modern server may also end a subscription with `notifications/cancelled` (N-04). */
  cancelledByServer(requestId: unknown): void {
    const subscription = typeof requestId === 'number' ? this.#modern.get(requestId) : undefined
    if (!subscription || typeof requestId !== 'number') return
    this.#modern.delete(requestId)
    this.#parts.correlator.forget(requestId)
    this.#ended(subscription.id, undefined)
  }

  failAll(failure: McpError): void {
    for (const id of this.#legacy.keys()) this.#ended(id, failure)
    this.#legacy.clear()
  }

  #listen(id: CallId, filter: SubscriptionFilter, peer: Peer): void {
    const { clock, correlator, budget, up, tellCancelled } = this.#parts
    const { timeoutMs = 0 } = budget
    let isAcknowledged = false
    const deadline = new Deadline(clock, timeoutMs, 0, () => {
      if (!correlator.forget(requestId)) return
      this.#modern.delete(requestId)
      tellCancelled(requestId, 'not acknowledged in time')
      fail(new TimeoutError({ method: 'subscriptions/listen', timeoutMs }))
    })
    const fail = (failure: McpError) => up({ kind: 'failure', id, error: toErrorData(failure) })
    const params = JSON.stringify({ notifications: filter })
    const requestId = correlator.request('subscriptions/listen', params, peer.stamp, (answer) => {
      deadline.clear()
      const wasOpen = this.#modern.delete(requestId)
      const failure =
        answer.kind === 'error'
          ? new ProtocolError(answer.error)
          : answer.kind === 'failure'
            ? answer.failure
            : undefined
      if (isAcknowledged && wasOpen) this.#ended(id, failure)
      if (!isAcknowledged)
        fail(
          failure ?? new TransportClosedError('The server ended the subscription before it acknowledged it'),
        )
    })
    deadline.start()
    this.#modern.set(requestId, {
      id,
      acknowledge: (honoured) => {
        if (isAcknowledged) return
        isAcknowledged = true
        deadline.clear()
        up({ kind: 'result', id, result: honoured, size: 0 })
      },
    })
  }

  async #subscribe(id: CallId, filter: SubscriptionFilter): Promise<void> {
    this.#legacy.set(id, filter)
    try {
      for (const uri of filter.resourceSubscriptions ?? []) {
        await this.#parts.exchanges.request('resources/subscribe', JSON.stringify({ uri }), {
          budget: this.#parts.budget,
        })
      }
      if (this.#legacy.has(id)) this.#parts.up({ kind: 'result', id, result: filter, size: 0 })
    } catch (error) {
      if (this.#legacy.delete(id)) this.#parts.up({ kind: 'failure', id, error: toErrorData(error) })
    }
  }

  /** Resources another subscription still wants stay subscribed. */
  #unsubscribe(filter: SubscriptionFilter): void {
    const wanted = new Set(
      [...this.#legacy.values()].flatMap(({ resourceSubscriptions = [] }) => resourceSubscriptions),
    )
    for (const uri of filter.resourceSubscriptions ?? []) {
      if (wanted.has(uri)) continue
      this.#parts.exchanges
        .request('resources/unsubscribe', JSON.stringify({ uri }), { budget: this.#parts.budget })
        .catch(() => {})
    }
  }

  #ended(id: CallId, failure: McpError | undefined): void {
    this.#parts.up({ kind: 'unsubscribed', id, error: failure && toErrorData(failure) })
  }
}
