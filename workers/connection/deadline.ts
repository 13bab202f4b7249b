import type { Clock } from '../../src/clock.ts'

/**
 * The budgets of one call: `timeoutMs` of the server's time, which progress renews and an open question pauses,
 * and `maxTotalTimeoutMs`, which nothing does. 0 means no budget.
 */
export class Deadline {
  readonly timeoutMs: number
  readonly maxTotalTimeoutMs: number
  readonly #clock: Clock
  readonly #expire: (option: 'timeoutMs' | 'maxTotalTimeoutMs') => void
  #timer: unknown
  #totalTimer: unknown
  #startedAtMs = 0
  #leftMs: number
  #questions = 0
  #isStarted = false
  #isOver = false

  constructor(
    clock: Clock,
    timeoutMs: number,
    maxTotalTimeoutMs: number,
    expire: (option: 'timeoutMs' | 'maxTotalTimeoutMs') => void,
  ) {
    this.#clock = clock
    this.timeoutMs = timeoutMs
    this.maxTotalTimeoutMs = maxTotalTimeoutMs
    this.#expire = expire
    this.#leftMs = timeoutMs
    if (maxTotalTimeoutMs > 0)
      this.#totalTimer = this.#whole.setTimeout(() => expire('maxTotalTimeoutMs'), maxTotalTimeoutMs)
  }

  /** The server has the ball: its time runs, unless a question is open. */
  start(): void {
    this.#isStarted = true
    if (this.timeoutMs <= 0 || this.#timer !== undefined || this.#questions > 0 || this.#isOver) return
    this.#startedAtMs = this.#clock.now()
    this.#timer = this.#clock.setTimeout(() => this.#expire('timeoutMs'), Math.max(0, this.#leftMs))
  }

  /** The server showed that it is alive. */
  renew(): void {
    this.#leftMs = this.timeoutMs
    if (this.#timer === undefined) return
    this.#stopTimer()
    this.start()
  }

  /** A person or a hook has the ball. Nests. */
  pause(): void {
    this.#questions += 1
    if (this.#timer === undefined) return
    this.#leftMs -= this.#clock.now() - this.#startedAtMs
    this.#stopTimer()
  }

  resume(): void {
    this.#questions -= 1
    // A call that was never sent costs the server no time.
    if (this.#questions === 0 && this.#isStarted) this.start()
  }

  /** For good: an answer that came first, or a question that is settled late, starts nothing. */
  clear(): void {
    this.#isStarted = false
    this.#isOver = true
    this.#stopTimer()
    if (this.#totalTimer !== undefined) this.#whole.clearTimeout(this.#totalTimer)
  }

  get #whole(): Clock {
    return this.#clock.whole ?? this.#clock
  }

  #stopTimer(): void {
    if (this.#timer === undefined) return
    this.#clock.clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
