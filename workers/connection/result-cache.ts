import type { Clock } from '../../src/clock.ts'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'
import type { CacheHint } from '../../src/protocol/results.ts'

export interface ResultCacheOptions {
  /** Whether the connection is one authorisation context, so that `private` results may be kept. Default true. */
  readonly keepsPrivate?: boolean
  /** All kept results together, in characters of JSON; the oldest go first. Default 64 Mi. */
  readonly maxChars?: number
}

/**
 * Results a server allowed to keep, for as long as it said. Fresh while now < received + ttl. Kept as JSON text:
 * whoever gets one gets its own. What an invalidation may have overtaken is not kept: `epoch` is read when the request goes out.
 */
export class ResultCache {
  readonly #entries = new Map<string, { text: string; freshUntilMs: number }>()
  readonly #clock: Clock
  readonly #keepsPrivate: boolean
  readonly #maxChars: number
  #chars = 0
  #epoch = 0

  constructor(clock: Clock, { keepsPrivate = true, maxChars = 64 * 1024 * 1024 }: ResultCacheOptions = {}) {
    this.#clock = clock
    this.#keepsPrivate = keepsPrivate
    this.#maxChars = maxChars
  }

  /** Counts the invalidations. */
  get epoch(): number {
    return this.#epoch
  }

  get(method: string, params: string): JsonObject | undefined {
    const key = keyOf(method, params)
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    if (this.#clock.now() < entry.freshUntilMs) return JSON.parse(entry.text)
    this.#delete(key)
    return undefined
  }

  /** Keeps a result if its hint allows; one that does not replaces what was kept. */
  put(method: string, params: string, result: JsonObject, hint: CacheHint | undefined, epoch: number): void {
    if (epoch !== this.#epoch) return
    const key = keyOf(method, params)
    this.#delete(key)
    if (!hint || (hint.cacheScope === 'private' && !this.#keepsPrivate)) return
    const text = JSON.stringify(result)
    this.#entries.set(key, { text, freshUntilMs: this.#clock.now() + hint.ttlMs })
    this.#chars += text.length
    for (const oldest of this.#entries.keys()) {
      if (this.#chars <= this.#maxChars) return
      this.#delete(oldest)
    }
  }

  /** Drops every kept result of a method, or those whose params `matches`. */
  drop(method: string, matches: (params: string) => boolean = () => true): void {
    this.#epoch += 1
    const prefix = `${method} `
    for (const key of this.#entries.keys()) {
      if (key.startsWith(prefix) && matches(key.slice(prefix.length))) this.#delete(key)
    }
  }

  clear(): void {
    this.#epoch += 1
    this.#entries.clear()
    this.#chars = 0
  }

  #delete(key: string): void {
    this.#chars -= this.#entries.get(key)?.text.length ?? 0
    this.#entries.delete(key)
  }
}

function keyOf(method: string, params: string): string {
  return `${method} ${params}`
}
