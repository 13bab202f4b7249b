import { NoteQueue } from '../../client/note-queue.ts'
import { Subscription } from '../../client/subscription.ts'
import type { Notification } from '../../protocol/json-rpc.ts'
import type { SubscriptionFilter } from '../../protocol/subscriptions.ts'
import { type Incarnation, isDeath } from './incarnation.ts'
import type { ServerLife } from './server-life.ts'

interface Standing {
  readonly filter: SubscriptionFilter
  readonly notes: NoteQueue<Notification>
  /** With this incarnation. */
  current: Subscription | undefined
}

/** Subscriptions that outlive the processes of their server: each is opened again with the next one. */
export class StandingSubscriptions {
  readonly #life: ServerLife
  readonly #standing = new Set<Standing>()

  constructor(life: ServerLife) {
    this.#life = life
  }

  /** @throws ServerDownError, and what `listen` of a client throws */
  open(filter: SubscriptionFilter, signal: AbortSignal | undefined): Promise<Subscription> {
    return this.#life.during(async () => {
      const incarnation = await this.#life.whenServing(signal)
      const first = await incarnation.client.listen(filter, { signal })
      const { standing, released } = this.#stand(filter)
      // Who listens uses the server, though no call is under way.
      void this.#life.during(() => released)
      void this.#follow(standing, first, incarnation)
      return new Subscription(first.honoured, standing.notes)
    })
  }

  /** A new incarnation serves. */
  renew(incarnation: Incarnation): void {
    for (const standing of this.#standing) void this.#reopen(standing, incarnation)
  }

  /** There will be no other incarnation. */
  endAll(): void {
    for (const { notes } of [...this.#standing]) notes.end()
  }

  #stand(filter: SubscriptionFilter): { readonly standing: Standing; readonly released: Promise<void> } {
    let release: () => void = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const notes = new NoteQueue<Notification>(() => {
      this.#standing.delete(standing)
      void standing.current?.close()
      release()
    })
    const standing: Standing = { filter, notes, current: undefined }
    this.#standing.add(standing)
    return { standing, released }
  }

  async #reopen(standing: Standing, incarnation: Incarnation): Promise<void> {
    try {
      const subscription = await incarnation.client.listen(standing.filter)
      if (this.#standing.has(standing)) await this.#follow(standing, subscription, incarnation)
      else await subscription.close()
    } catch (failure) {
      this.#broke(standing, failure, incarnation)
    }
  }

  async #follow(standing: Standing, subscription: Subscription, incarnation: Incarnation): Promise<void> {
    standing.current = subscription
    try {
      for await (const note of subscription) standing.notes.push(note)
      // The server ended it.
      if (incarnation.isServing) standing.notes.end()
    } catch (failure) {
      this.#broke(standing, failure, incarnation)
    }
  }

  /** With its server it will be mended. */
  #broke({ notes }: Standing, failure: unknown, incarnation: Incarnation): void {
    if (!isDeath(failure, incarnation)) notes.end(failure instanceof Error ? failure : undefined)
  }
}
