import type { CatalogueEvent, ChildEvent, ProviderEventMap } from '../../bridge/provider.ts'
import { Coalesced } from '../../client/coalesced.ts'
import type { Clock } from '../../clock.ts'
import { ConfigError } from '../../errors.ts'
import { thrownMessage } from '../../thrown-message.ts'

type Listeners = { readonly [Event in keyof ProviderEventMap]: Set<(value: ProviderEventMap[Event]) => void> }

/** Tells who listens what changed below. A listener that throws is reported, and harms nothing else. */
export class RegistryEvents {
  readonly #listeners: Listeners = { child: new Set(), catalogue: new Set() }
  readonly #warn: (message: string) => void
  readonly #changes: Coalesced
  /** Whose tools changed, since the last time that was told. */
  #changed = new Map<string, CatalogueEvent>()

  constructor(clock: Clock, warn: (message: string) => void) {
    this.#warn = warn
    this.#changes = new Coalesced(clock, () => this.#tellChanges())
  }

  on<Event extends keyof ProviderEventMap>(
    event: Event,
    listener: (value: ProviderEventMap[Event]) => void,
  ): () => void {
    if (!Object.hasOwn(this.#listeners, event)) {
      const known = Object.keys(this.#listeners).join(', ')
      throw new ConfigError({ path: ['event'], reason: `must be one of ${known}` })
    }
    this.#listeners[event].add(listener)
    return () => void this.#listeners[event].delete(listener)
  }

  /** At once: a policy withdraws questions by it. */
  child(event: ChildEvent): void {
    this.#tell('child', event)
  }

  /** Once for the many changes of one server, a moment later. */
  catalogue(path: readonly string[]): void {
    this.#changed.set(path.join('\0'), { path })
    this.#changes.trigger()
  }

  end(): void {
    this.#changes.stop()
    for (const listeners of Object.values(this.#listeners)) listeners.clear()
  }

  #tellChanges(): void {
    const changed = this.#changed
    this.#changed = new Map()
    for (const event of changed.values()) this.#tell('catalogue', event)
  }

  #tell<Event extends keyof ProviderEventMap>(event: Event, value: ProviderEventMap[Event]): void {
    for (const listener of this.#listeners[event]) {
      try {
        listener(value)
      } catch (error) {
        this.#warn(`a ${event} listener threw: ${thrownMessage(error)}`)
      }
    }
  }
}
