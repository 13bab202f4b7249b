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
  readonly #pings = new Map<number, Set<Ping>>()
  /** The pings that are not answered yet, and what waits for them. */
  readonly #unanswered = new Map<Ping, unknown>()
  #round: unknown

  constructor(options: WatchdogOptions) {
    this.#options = options
  }

  /** Watches a thread through one of its connections, until the returned function is called. */
  watch(threadId: number, ping: Ping): () => void {
    const pings = this.#pings.get(threadId) ?? new Set()
    this.#pings.set(threadId, pings.add(ping))
    this.#schedule()
    return () => {
      pings.delete(ping)
      this.#settle(ping)
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

  /** Any connection of the thread may answer for it. One that ends meanwhile says nothing of its thread. */
  #ask(threadId: number, pings: ReadonlySet<Ping>): void {
    const [ping] = pings
    if (!ping || this.#unanswered.has(ping)) return
    const { clock, terminate, graceMs = 15_000 } = this.#options
    // When our own thread was blocked, timers come before the answers that wait: a second look tells.
    const lookAgain = () => {
      this.#unanswered.set(
        ping,
        clock.setTimeout(() => terminate(threadId), secondLookMs),
      )
    }
    this.#unanswered.set(ping, clock.setTimeout(lookAgain, graceMs))
    const answered = () => this.#settle(ping)
    ping().then(answered, answered)
  }

  #settle(ping: Ping): void {
    this.#options.clock.clearTimeout(this.#unanswered.get(ping))
    this.#unanswered.delete(ping)
  }
}

type Ping = () => Promise<unknown>

const secondLookMs = 250
