import type { Clock } from '../../clock.ts'

/** Notices silence. Feeding costs one look at the clock: the timer runs on and looks again. */
export class IdleWatch {
  readonly #clock: Clock
  readonly #limitMs: number
  readonly #onSilence: () => void
  #fedAt = 0
  #timer: unknown

  constructor(clock: Clock, limitMs: number, onSilence: () => void) {
    this.#clock = clock
    this.#limitMs = limitMs
    this.#onSilence = onSilence
  }

  /** Starts it, too. */
  feed(): void {
    this.#fedAt = this.#clock.now()
    if (this.#timer === undefined) this.#wait(this.#limitMs)
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #wait(ms: number): void {
    this.#timer = this.#clock.setTimeout(() => {
      const leftMs = this.#fedAt + this.#limitMs - this.#clock.now()
      if (leftMs > 0) return this.#wait(leftMs)
      this.#timer = undefined
      this.#onSilence()
    }, ms)
  }
}
