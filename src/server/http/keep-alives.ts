import { type Clock, systemClock } from '../../clock.ts'
import { idleClock } from '../../idle-clock.ts'

/** What may fall quiet, and then has to show that it is still there. */
export interface Quiet {
  stillHere(): void
}

/** Tells whoever is waited for that `everyMs` went by, again and again. All wait equally long, so that one timer serves them all. */
export class KeepAlives {
  readonly #everyMs: number
  readonly #clock: Clock
  /** With when they are told next, in that order. */
  readonly #dueAtMs = new Map<Quiet, number>()
  #timer: unknown

  constructor(everyMs: number, clock: Clock = idleClock(systemClock)) {
    this.#everyMs = everyMs
    this.#clock = clock
  }

  watch(quiet: Quiet): void {
    this.#dueAtMs.set(quiet, this.#clock.now() + this.#everyMs)
    if (this.#timer === undefined) this.#wait(this.#everyMs)
  }

  forget(quiet: Quiet): void {
    this.#dueAtMs.delete(quiet)
  }

  #wait(forMs: number): void {
    this.#timer = this.#clock.setTimeout(() => this.#tell(), forMs)
  }

  #tell(): void {
    const nowMs = this.#clock.now()
    for (const [quiet, dueAtMs] of this.#dueAtMs) {
      if (dueAtMs > nowMs) return this.#wait(dueAtMs - nowMs)
      this.#dueAtMs.delete(quiet)
      this.#dueAtMs.set(quiet, nowMs + this.#everyMs)
      quiet.stillHere()
    }
    this.#timer = undefined
  }
}
