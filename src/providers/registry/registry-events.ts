import type { CatalogueEvent, ChildEvent, ProviderEventMap } from '../../bridge/provider.ts'
import { Coalesced } from '../../client/coalesced.ts'
import type { Clock } from '../../clock.ts'
import { Listeners } from '../../listeners.ts'

/** Tells who listens what changed below. A listener that throws is reported, and harms nothing else. */
export class RegistryEvents {
  readonly #listeners: Listeners<ProviderEventMap>
  readonly #changes: Coalesced
  /** Whose tools changed, since the last time that was told. */
  #changed = new Map<string, CatalogueEvent>()

  constructor(clock: Clock, warn: (message: string) => void) {
    this.#listeners = new Listeners({ child: new Set(), catalogue: new Set() }, warn)
    this.#changes = new Coalesced(clock, () => this.#tellChanges())
  }

  on<Event extends keyof ProviderEventMap>(
    event: Event,
    listener: (value: ProviderEventMap[Event]) => void,
  ): () => void {
    return this.#listeners.on(event, listener)
  }

  /** At once: a policy withdraws questions by it. */
  child(event: ChildEvent): void {
    this.#listeners.tell('child', event)
  }

  /** What was taken out, at once: a policy withdraws questions by it. */
  removed(path: readonly string[], removed: readonly string[]): void {
    this.#listeners.tell('catalogue', { path, removed })
  }

  /** Once for the many changes of one server, a moment later. */
  catalogue(path: readonly string[]): void {
    this.#changed.set(path.join('\0'), { path })
    this.#changes.trigger()
  }

  end(): void {
    this.#changes.stop()
    this.#listeners.clear()
  }

  #tellChanges(): void {
    const changed = this.#changed
    this.#changed = new Map()
    for (const event of changed.values()) this.#listeners.tell('catalogue', event)
  }
}
