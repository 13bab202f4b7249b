import { badOption } from './check-options.ts'
import { thrownMessage } from './thrown-message.ts'

type ListenerSets<EventMap> = {
  readonly [Event in keyof EventMap]: Set<(value: EventMap[Event]) => void>
}

/** Who listens to what. A listener that throws is reported, and harms nothing else. */
export class Listeners<EventMap extends object> {
  readonly #sets: ListenerSets<EventMap>
  readonly #warn: (message: string) => void

  /** `sets`: an empty one for each event. */
  constructor(sets: ListenerSets<EventMap>, warn: (message: string) => void) {
    this.#sets = sets
    this.#warn = warn
  }

  /** Returns what stops it. @throws ConfigError for an event that is none */
  on<Event extends keyof EventMap>(event: Event, listener: (value: EventMap[Event]) => void): () => void {
    if (!Object.hasOwn(this.#sets, event))
      throw badOption('event', `must be one of ${Object.keys(this.#sets).join(', ')}`)
    this.#sets[event].add(listener)
    return () => void this.#sets[event].delete(listener)
  }

  tell<Event extends keyof EventMap & string>(event: Event, value: EventMap[Event]): void {
    for (const listener of this.#sets[event]) {
      try {
        listener(value)
      } catch (error) {
        this.#warn(`a ${event} listener threw: ${thrownMessage(error)}`)
      }
    }
  }

  clear(): void {
    for (const listeners of Object.values<Set<unknown>>(this.#sets)) listeners.clear()
  }
}
