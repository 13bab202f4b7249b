import type { Notification } from '../protocol/json-rpc.ts'
import type { SubscriptionFilter } from '../protocol/subscriptions.ts'
import type { NoteQueue } from './note-queue.ts'

/** An open subscription: iterate it, and close it (or `await using` it). It ends when either side closes it, and throws when it broke. */
export class Subscription implements AsyncIterable<Notification>, AsyncDisposable {
  /** What the server honours of what was asked. */
  readonly honoured: SubscriptionFilter
  readonly #notes: NoteQueue<Notification>

  constructor(honoured: SubscriptionFilter, notes: NoteQueue<Notification>) {
    this.honoured = honoured
    this.#notes = notes
  }

  [Symbol.asyncIterator](): AsyncIterator<Notification> {
    return this.#notes
  }

  async close(): Promise<void> {
    await this.#notes.return()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
