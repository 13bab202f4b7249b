import type { Clock } from '../src/clock.ts'

export interface WatchdogOptions {
  readonly clock: Clock
  readonly terminate: (threadId: number) => void
  /** How often every thread is asked; default 5000 ms. */
  readonly everyMs?: number
  /** How long it may take to answer; default 15000 ms, since one 64 MiB message takes seconds to parse on a busy machine. */
  readonly graceMs?: number
}

/** Finds threads that spin: nothing else notices them. Runs only while something is watched. */
export class Watchdog {
  readonly #options: WatchdogOptions
  readonly #pings = new Map<number, Set<() => Promise<unknown>>>()
  #round: unknown

  constructor(options: WatchdogOptions) {
    this.#options = options
  }

  /** Watches a thread through one of its connections, until the returned function is called. */
  watch(threadId: number, ping: () => Promise<unknown>): () => void {
    const pings = this.#pings.get(threadId) ?? new Set()
    this.#pings.set(threadId, pings.add(ping))
    this.#schedule()
    return () => {
      pings.delete(ping)
      if (pings.size === 0 && this.#pings.get(threadId) === pings) this.#pings.delete(threadId)
      if (this.#pings.size === 0) this.#stop()
    }
  }

  #schedule(): void {
    const { clock, everyMs = 5_000 } = this.#options
    this.#round ??= clock.setTimeout(() => {
      this.#round = undefined
      for (const [threadId, pings] of this.#pings) this.#ask(threadId, pings)
      if (this.#pings.size > 0) this.#schedule()
    }, everyMs)
  }

  #stop(): void {
    this.#options.clock.clearTimeout(this.#round)
    this.#round = undefined
  }

  /** Any connection of the thread may answer for it. */
  #ask(threadId: number, pings: ReadonlySet<() => Promise<unknown>>): void {
    const [ping] = pings
    if (!ping) return
    const { clock, terminate, graceMs = 15_000 } = this.#options
    const timer = clock.setTimeout(() => {
      // The asked connection may just have ended: then its thread is not to blame.
      if (pings.has(ping)) terminate(threadId)
    }, graceMs)
    const answered = () => clock.clearTimeout(timer)
    ping().then(answered, answered)
  }
}
