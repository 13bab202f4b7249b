import type { Clock } from '../clock.ts'

/** Makes one event of many: `fire` is called once, `windowMs` (default 50) after the first of them. */
export class Coalesced {
  readonly #clock: Clock
  readonly #fire: () => void
  readonly #windowMs: number
  #timer: unknown

  constructor(clock: Clock, fire: () => void, windowMs = 50) {
    this.#clock = clock
    this.#fire = fire
    this.#windowMs = windowMs
  }

  trigger(): void {
    this.#timer ??= this.#clock.setTimeout(() => {
      this.#timer = undefined
      this.#fire()
    }, this.#windowMs)
  }

  stop(): void {
    this.#clock.clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
