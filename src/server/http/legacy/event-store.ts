import { checkOptions, wholeNumber } from '../../../check-options.ts'

/** One event of a stream of a session. */
export interface StreamEvent {
  /** Unique in its session. */
  readonly id: string
  readonly stream: string
  /** A message as JSON text; '' of the event that only gives a stream its first id. */
  readonly data: string
}

/** Keeps what was said on the streams of legacy sessions, so that a client that lost its connection gets the rest. */
export interface EventStore {
  append(sessionId: string, event: StreamEvent): void | Promise<void>
  /** What the same stream said after that event, in its order; undefined when nothing is known of the event. */
  after(
    sessionId: string,
    eventId: string,
  ): readonly StreamEvent[] | undefined | Promise<readonly StreamEvent[] | undefined>
  /** The session is over. */
  forget(sessionId: string): void | Promise<void>
}

export interface MemoryEventStoreOptions {
  /** Of one session, in characters; past it the oldest events are forgotten; default 8 Mi. */
  readonly maxSessionLength?: number
  /** Of all sessions; past it those are forgotten whose last event is the oldest; default 64 Mi. */
  readonly maxLength?: number
}

/** In this process, as sessions are. */
export class MemoryEventStore implements EventStore {
  readonly #maxSessionLength: number
  readonly #maxLength: number
  /** In the order of their last events. */
  readonly #logs = new Map<string, Log>()
  #length = 0

  /** @throws ConfigError */
  constructor(options: MemoryEventStoreOptions = {}) {
    checkOptions(options, { maxSessionLength: wholeNumber, maxLength: wholeNumber })
    const { maxSessionLength = 8 * mebi, maxLength = 64 * mebi } = options
    this.#maxSessionLength = maxSessionLength
    this.#maxLength = maxLength
  }

  append(sessionId: string, event: StreamEvent): void {
    const log = this.#logs.get(sessionId) ?? { events: [], length: 0 }
    this.#logs.delete(sessionId)
    this.#logs.set(sessionId, log)
    log.events.push(event)
    this.#grow(log, lengthOf(event))
    while (log.length > this.#maxSessionLength) {
      const oldest = log.events.shift()
      if (oldest) this.#grow(log, -lengthOf(oldest))
    }
    for (const quietest of this.#logs.keys()) {
      if (this.#length <= this.#maxLength) break
      this.forget(quietest)
    }
  }

  after(sessionId: string, eventId: string): readonly StreamEvent[] | undefined {
    const events = this.#logs.get(sessionId)?.events ?? []
    const index = events.findIndex(({ id }) => id === eventId)
    const stream = events[index]?.stream
    return stream === undefined
      ? undefined
      : events.slice(index + 1).filter((event) => event.stream === stream)
  }

  forget(sessionId: string): void {
    this.#length -= this.#logs.get(sessionId)?.length ?? 0
    this.#logs.delete(sessionId)
  }

  #grow(log: Log, by: number): void {
    log.length += by
    this.#length += by
  }
}

interface Log {
  readonly events: StreamEvent[]
  length: number
}

const mebi = 1024 * 1024
/** Of an event besides its text, roughly. */
const overhead = 200

function lengthOf({ data }: StreamEvent): number {
  return data.length + overhead
}
