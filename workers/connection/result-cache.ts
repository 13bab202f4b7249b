import type { Clock } from '../../src/clock.ts'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'
import type { CacheHint } from '../../src/protocol/results.ts'

/**
 * Results a server allowed to keep, for as long as it said (C-01 to C-05). One connection is one authorisation context, one
 * server and one version, so `private` and `public` live alike here. Fresh while now < received + ttl. Oldest out past `maxEntries`.
 */
export class ResultCache {
  readonly #entries = new Map<string, { result: JsonObject; freshUntilMs: number }>()
  readonly #clock: Clock
  readonly #maxEntries: number

  constructor(clock: Clock, maxEntries = 512) {
    this.#clock = clock
    this.#maxEntries = maxEntries
  }

  get(method: string, params: string): JsonObject | undefined {
    const key = keyOf(method, params)
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    if (this.#clock.now() < entry.freshUntilMs) return entry.result
    this.#entries.delete(key)
    return undefined
  }

  /** Keeps a result if its hint allows; one that does not replaces what was kept. */
  put(method: string, params: string, result: JsonObject, hint: CacheHint | undefined): void {
    const key = keyOf(method, params)
    this.#entries.delete(key)
    if (!hint) return
    this.#entries.set(key, { result, freshUntilMs: this.#clock.now() + hint.ttlMs })
    const oldest = this.#entries.keys().next()
    if (this.#entries.size > this.#maxEntries && !oldest.done) this.#entries.delete(oldest.value)
  }

  /** Drops every kept result of a method, or those whose params `matches`. */
  drop(method: string, matches: (params: string) => boolean = () => true): void {
    const prefix = `${method} `
    for (const key of this.#entries.keys()) {
      if (key.startsWith(prefix) && matches(key.slice(prefix.length))) this.#entries.delete(key)
    }
  }

  clear(): void {
    this.#entries.clear()
  }
}

function keyOf(method: string, params: string): string {
  return `${method} ${params}`
}
