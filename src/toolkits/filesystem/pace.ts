import { setImmediate } from 'node:timers/promises'

/** Of long work on the host's thread: every few milliseconds others have their turn. */
export class Pace {
  #since = performance.now()

  get isDue(): boolean {
    return performance.now() - this.#since > longestTurnMs
  }

  async pause(): Promise<void> {
    await setImmediate()
    this.#since = performance.now()
  }
}

const longestTurnMs = 10
