import type { Clock } from '../../src/clock.ts'

interface Timer {
  readonly run: () => void
  readonly dueAtMs: number
  handle: unknown
}

/** The server's time: it stands still while somebody else has the ball, a person who signs in, say, and no timer of it fires. */
export class ServerClock implements Clock {
  readonly whole: Clock
  readonly #timers = new Set<Timer>()
  #stoodStillMs = 0
  #stoppedAtMs: number | undefined

  constructor(whole: Clock) {
    this.whole = whole
  }

  now(): number {
    return (this.#stoppedAtMs ?? this.whole.now()) - this.#stoodStillMs
  }

  setTimeout(run: () => void, delayMs: number): unknown {
    const timer: Timer = { run, dueAtMs: this.now() + delayMs, handle: undefined }
    this.#timers.add(timer)
    if (this.#stoppedAtMs === undefined) this.#arm(timer)
    return timer
  }

  clearTimeout(timer: unknown): void {
    const known = timer as Timer | undefined
    if (known && this.#timers.delete(known)) this.whole.clearTimeout(known.handle)
  }

  stop(): void {
    if (this.#stoppedAtMs !== undefined) return
    this.#stoppedAtMs = this.whole.now()
    for (const { handle } of this.#timers) this.whole.clearTimeout(handle)
  }

  goOn(): void {
    if (this.#stoppedAtMs === undefined) return
    this.#stoodStillMs += this.whole.now() - this.#stoppedAtMs
    this.#stoppedAtMs = undefined
    for (const timer of this.#timers) this.#arm(timer)
  }

  #arm(timer: Timer): void {
    const fire = () => {
      this.#timers.delete(timer)
      timer.run()
    }
    timer.handle = this.whole.setTimeout(fire, Math.max(0, timer.dueAtMs - this.now()))
  }
}
