import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../clock.ts'

interface Timer {
  readonly run: () => void
  readonly deadlineMs: number
}

/** More timers than this in one advance are a loop. */
const maxFired = 100_000

/**
 * Time that stands still until a test moves it. Timers fire deadline by deadline, in the order they were set, and `now()` is the
 * deadline while they do; a timer set by a fired timer fires in the same advance if it is due.
 *
 * ```ts
 * const clock = new TestClock()
 * clock.setTimeout(() => clock.setTimeout(() => log(clock.now()), 10), 10)
 * clock.advance(25) // logs 20
 * ```
 */
export class TestClock implements Clock {
  readonly #timers = new Set<Timer>()
  #nowMs: number

  /** `startMs`: what `now()` says at first; default 0. */
  constructor(startMs = 0) {
    this.#nowMs = startMs
  }

  /** Milliseconds; moved by `advance` only. */
  now(): number {
    return this.#nowMs
  }

  /** A negative delay counts as 0; an infinite one never fires. Nothing fires before time is advanced, not even after 0 ms. */
  setTimeout(run: () => void, delayMs: number): unknown {
    const timer: Timer = { run, deadlineMs: this.#nowMs + Math.max(0, delayMs) }
    this.#timers.add(timer)
    return timer
  }

  /** Clearing what fired, was cleared or is no timer does nothing. */
  clearTimeout(timer: unknown): void {
    this.#timers.delete(timer as Timer)
  }

  /** How many timers wait: 0 where nothing may be left behind. */
  get pending(): number {
    return this.#timers.size
  }

  /** Milliseconds until the next timer fires; undefined when none will. */
  get nextInMs(): number | undefined {
    const next = this.#next(Number.MAX_VALUE)
    return next && next.deadlineMs - this.#nowMs
  }

  /**
   * Moves time by `ms` and fires what is due, all within this call: promises that timers settle go on only after it.
   * Passes on what a timer throws. @throws RangeError when `ms` is negative or not finite, or when timers set each other without end
   */
  advance(ms: number): void {
    const untilMs = this.#until(ms)
    let fired = 0
    for (let timer = this.#next(untilMs); timer; timer = this.#next(untilMs)) this.#fire(timer, ++fired)
    this.#nowMs = untilMs
  }

  /** The same, but everything that waits only for promises runs before, after and between the timers. */
  async advanceAsync(ms: number): Promise<void> {
    const untilMs = this.#until(ms)
    let fired = 0
    await this.settle()
    for (let timer = this.#next(untilMs); timer; timer = this.#next(untilMs)) {
      this.#fire(timer, ++fired)
      await this.settle()
    }
    this.#nowMs = untilMs
  }

  /** Lets everything run that waits only for promises, however long their chains. Time stands still. */
  async settle(): Promise<void> {
    await setImmediate()
  }

  #until(ms: number): number {
    if (!(ms >= 0 && Number.isFinite(ms))) throw new RangeError(`Time moves by 0 ms or more, not by ${ms}`)
    return this.#nowMs + ms
  }

  /** Of equal deadlines, the one set first. */
  #next(untilMs: number): Timer | undefined {
    let next: Timer | undefined
    for (const timer of this.#timers) {
      if (timer.deadlineMs <= untilMs && !(next && next.deadlineMs <= timer.deadlineMs)) next = timer
    }
    return next
  }

  #fire(timer: Timer, fired: number): void {
    if (fired > maxFired)
      throw new RangeError(`More than ${maxFired} timers fired: they set each other without end`)
    this.#timers.delete(timer)
    this.#nowMs = timer.deadlineMs
    timer.run()
  }
}
