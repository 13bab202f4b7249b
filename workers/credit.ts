/** What a reader that is behind asks of whatever brings its frames. Both are idempotent. */
export interface Flow {
  pause(): void
  resume(): void
}

/** Characters of batches that may be on their way and not yet acknowledged. A large result, which somebody asked for, costs none. */
export const windowChars = 512 * 1024
/** Acknowledged in quarters: an ordinary call never sees an acknowledgement. */
export const acknowledgeFromChars = windowChars / 4

/** What one end may still send before the other has caught up: a server that says more than its host reads costs bounded memory. */
export class Credit {
  readonly #flow: Flow
  #sentChars = 0
  #state: 'flowing' | 'paused' = 'flowing'

  constructor(flow: Flow) {
    this.#flow = flow
  }

  spend(chars: number): void {
    this.#sentChars += chars
    if (this.#sentChars <= windowChars || this.#state === 'paused') return
    this.#state = 'paused'
    this.#flow.pause()
  }

  acknowledged(chars: number): void {
    this.#sentChars -= chars
    if (this.#state === 'flowing' || this.#sentChars > windowChars / 2) return
    this.#state = 'flowing'
    this.#flow.resume()
  }
}
