import type { McpError } from '../../src/errors.ts'
import type { Notification } from '../../src/protocol/json-rpc.ts'
import { matchesFilter, type SubscriptionFilter } from '../../src/protocol/subscriptions.ts'
import type { Budget, CallId } from '../frames.ts'
import type { Exchanges } from './exchange.ts'
import type { SubscriptionVoice } from './subscriptions.ts'

export interface LegacySubscriptionsParts {
  readonly exchanges: Exchanges
  readonly budget: Budget
}

/** Legacy servers subscribe resource by resource, and their notifications name no subscription: the filter says whose they are. */
export class LegacySubscriptions {
  readonly #parts: LegacySubscriptionsParts
  readonly #voice: SubscriptionVoice
  readonly #open = new Map<CallId, SubscriptionFilter>()

  constructor(parts: LegacySubscriptionsParts, voice: SubscriptionVoice) {
    this.#parts = parts
    this.#voice = voice
  }

  async open(id: CallId, filter: SubscriptionFilter): Promise<void> {
    this.#open.set(id, filter)
    try {
      for (const uri of filter.resourceSubscriptions ?? []) await this.#request('resources/subscribe', uri)
      if (this.#open.has(id)) this.#voice.acknowledged(id, filter)
    } catch (failure) {
      if (this.#open.delete(id)) this.#voice.refused(id, failure)
    }
  }

  close(id: CallId): void {
    const filter = this.#open.get(id)
    if (!filter) return
    this.#open.delete(id)
    this.#voice.ended(id, undefined)
    // Resources another subscription still wants stay subscribed.
    const wanted = this.#resources()
    for (const uri of filter.resourceSubscriptions ?? []) {
      if (!wanted.has(uri)) this.#request('resources/unsubscribe', uri).catch(() => {})
    }
  }

  renew(): void {
    for (const uri of this.#resources()) this.#request('resources/subscribe', uri).catch(() => {})
  }

  deliver(notification: Notification): void {
    const { method, params } = notification
    for (const [id, filter] of this.#open) {
      if (matchesFilter(filter, method, params)) this.#voice.note(id, notification)
    }
  }

  failAll(failure: McpError): void {
    for (const id of this.#open.keys()) this.#voice.ended(id, failure)
    this.#open.clear()
  }

  #resources(): ReadonlySet<string> {
    return new Set(
      [...this.#open.values()].flatMap(({ resourceSubscriptions = [] }) => resourceSubscriptions),
    )
  }

  #request(method: string, uri: string): Promise<unknown> {
    const { exchanges, budget } = this.#parts
    return exchanges.request(method, JSON.stringify({ uri }), { budget })
  }
}
