import type { EventStore, StreamEvent } from './event-store.ts'

export interface JournalParts {
  readonly sessionId: string
  readonly stream: string
  readonly store: EventStore
  /** How long a client is to wait before it comes back. */
  readonly retryMs: number
  /** Whether its client knows streams that begin with an empty event, and whose connection the server may let go. */
  readonly isPolled: boolean
  readonly onFailure: (error: unknown) => void
}

/** What makes a stream's events known by ids, and keeps them. */
export class Journal {
  readonly stream: string
  readonly isPolled: boolean
  readonly #parts: JournalParts
  #count = 0
  #kept: Promise<void> | undefined

  constructor(parts: JournalParts) {
    this.#parts = parts
    this.stream = parts.stream
    this.isPolled = parts.isPolled
  }

  /** Whether a client may know an id to come back with. */
  get isKnown(): boolean {
    return this.#count > 0
  }

  get lastId(): string {
    return `${this.stream}-${this.#count}`
  }

  /** Resolves when all that was noted is kept. */
  async settled(): Promise<void> {
    await this.#kept
  }

  /** What the stream begins with: older clients take no empty events. */
  open(): string {
    return this.isPolled ? eventText(this.#keep(''), this.#parts.retryMs) : ''
  }

  /** A message as it goes on the wire. */
  note(data: string): string {
    return eventText(this.#keep(data))
  }

  #keep(data: string): StreamEvent {
    const { sessionId, stream, store, onFailure } = this.#parts
    this.#count += 1
    const event = { id: this.lastId, stream, data }
    try {
      const kept = store.append(sessionId, event)
      if (kept instanceof Promise) this.#kept = after(this.#kept, kept.catch(onFailure))
    } catch (error) {
      onFailure(error)
    }
    return event
  }
}

/** Holds on to nothing but what is still open. */
async function after(earlier: Promise<void> | undefined, last: Promise<void>): Promise<void> {
  await last
  await earlier
}

/** JSON text has no line breaks, so one line holds it. */
export function eventText({ id, data }: StreamEvent, retryMs?: number): string {
  return `id: ${id}\n${retryMs === undefined ? '' : `retry: ${retryMs}\n`}data: ${data}\n\n`
}
