import type { McpError } from '../../src/errors.ts'
import type { Notification } from '../../src/protocol/json-rpc.ts'
import { honourable, matchesFilter, type SubscriptionFilter } from '../../src/protocol/subscriptions.ts'
import type { Budget, CallId } from '../frames.ts'
import type { Exchanges } from './exchange.ts'
import type { Readiness } from './readiness.ts'
import type { SubscriptionVoice } from './subscriptions.ts'

export interface LegacySubscriptionsParts {
  readonly exchanges: Exchanges
  readonly readiness: Readiness
  readonly budget: Budget
}

interface LegacySubscription {
  readonly filter: SubscriptionFilter
  /** The resources the server has subscribed so far. */
  readonly subscribed: string[]
  isAcknowledged: boolean
}

/** Legacy servers subscribe resource by resource, and their notifications name no subscription: the filter says whose they are. */
export class LegacySubscriptions {
  readonly #parts: LegacySubscriptionsParts
  readonly #voice: SubscriptionVoice
  readonly #open = new Map<CallId, LegacySubscription>()

  constructor(parts: LegacySubscriptionsParts, voice: SubscriptionVoice) {
    this.#parts = parts
    this.#voice = voice
  }

  async open(id: CallId, wanted: SubscriptionFilter): Promise<void> {
    const filter = honourable(wanted, this.#parts.readiness.capabilities)
    const subscription: LegacySubscription = { filter, subscribed: [], isAcknowledged: false }
    this.#open.set(id, subscription)
    try {
      for (const uri of filter.resourceSubscriptions ?? []) {
        await this.#request('resources/subscribe', uri)
        if (!this.#open.has(id)) return this.#release([uri])
        subscription.subscribed.push(uri)
      }
      subscription.isAcknowledged = true
      this.#voice.acknowledged(id, filter)
    } catch (failure) {
      if (!this.#open.delete(id)) return
      this.#voice.refused(id, failure)
      this.#release(subscription.subscribed)
    }
  }

  close(id: CallId): void {
    const subscription = this.#open.get(id)
    if (!subscription) return
    this.#open.delete(id)
    this.#voice.ended(id, undefined)
    this.#release(subscription.subscribed)
  }

  renew(): void {
    const subscribed = new Set([...this.#open.values()].flatMap((subscription) => subscription.subscribed))
    for (const uri of subscribed)
      this.#request('resources/subscribe', uri).catch((failure) => this.#lose(uri, failure))
  }

  deliver(notification: Notification): void {
    const { method, params } = notification
    for (const [id, { filter }] of this.#open) {
      if (matchesFilter(filter, method, params)) this.#voice.note(id, notification)
    }
  }

  failAll(failure: McpError): void {
    const all = [...this.#open]
    this.#open.clear()
    for (const [id, { isAcknowledged }] of all) {
      if (isAcknowledged) this.#voice.ended(id, failure)
      else this.#voice.refused(id, failure)
    }
  }

  /** The next session refuses what the last one allowed: who wanted it hears of it. */
  #lose(uri: string, failure: McpError): void {
    for (const [id, { subscribed }] of [...this.#open]) {
      if (subscribed.includes(uri) && this.#open.delete(id)) this.#voice.ended(id, failure)
    }
  }

  /** Resources another subscription still wants stay subscribed. */
  #release(uris: readonly string[]): void {
    const wanted = this.#resources()
    for (const uri of uris) {
      if (!wanted.has(uri)) this.#request('resources/unsubscribe', uri).catch(() => {})
    }
  }

  #resources(): ReadonlySet<string> {
    return new Set([...this.#open.values()].flatMap(({ filter }) => filter.resourceSubscriptions ?? []))
  }

  #request(method: string, uri: string): Promise<unknown> {
    const { exchanges, budget } = this.#parts
    return exchanges.request(method, JSON.stringify({ uri }), { budget })
  }
}
