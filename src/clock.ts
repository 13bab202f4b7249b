/** Time as the runtime sees it; replaceable, so that logic is tested without waiting. Also an XState clock. */
export interface Clock {
  /** Milliseconds, monotonic; the origin means nothing. */
  now(): number
  setTimeout(run: () => void, delayMs: number): unknown
  clearTimeout(timer: unknown): void
  /** The time that never stands still, where this one may; default this one. */
  readonly whole?: Clock
}

/** Node fires longer timers at once (int32 overflow). */
const longestTimerMs = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => performance.now(),
  // What is overdue is due; Node warns of less.
  setTimeout: (run, delayMs) =>
    delayMs <= longestTimerMs ? setTimeout(run, Math.max(0, delayMs)) : new LongTimer(run, delayMs),
  clearTimeout: (timer) =>
    timer instanceof LongTimer ? timer.clear() : clearTimeout(timer as NodeJS.Timeout),
}

/** Waits in legs a timer can hold. */
class LongTimer {
  #leg: NodeJS.Timeout | undefined
  #isHeld = true

  constructor(run: () => void, delayMs: number) {
    this.#wait(run, delayMs)
  }

  clear(): void {
    clearTimeout(this.#leg)
  }

  /** As of Node's own: it keeps no process alive. */
  unref(): this {
    this.#isHeld = false
    this.#leg?.unref()
    return this
  }

  #wait(run: () => void, leftMs: number): void {
    const legMs = Math.min(leftMs, longestTimerMs)
    this.#leg = setTimeout(() => (leftMs > legMs ? this.#wait(run, leftMs - legMs) : run()), legMs)
    if (!this.#isHeld) this.#leg.unref()
  }
}
