import { checkOptions, wholeNumber } from '../../check-options.ts'

/** Remembers which states came back already, so that each is taken once. Share one between instances that share a `stateSecret`. */
export interface ReplayStore {
  /** True the first time a nonce is claimed; it need not be remembered past `expiresAt` (ms since 1970). */
  claim(nonce: string, expiresAt: number): boolean | Promise<boolean>
}

/**
 * In this process. What has expired is forgotten. When it is full of what has not, no more is taken: that is how a flood of retries ends,
 * not with a state that is taken twice.
 */
export class MemoryReplayStore implements ReplayStore {
  readonly #capacity: number
  readonly #claimed = new Map<string, number>()

  /** `capacity`: default 200 000, 300 a second of calls that may take ten minutes. @throws ConfigError */
  constructor(capacity = 200_000) {
    checkOptions({ capacity }, { capacity: wholeNumber })
    this.#capacity = capacity
  }

  claim(nonce: string, expiresAt: number): boolean {
    const now = Date.now()
    // In the order they were claimed, which is nearly the order they expire in.
    for (const [old, end] of this.#claimed) {
      if (end > now) break
      this.#claimed.delete(old)
    }
    if (this.#claimed.has(nonce) || this.#claimed.size >= this.#capacity) return false
    this.#claimed.set(nonce, expiresAt)
    return true
  }
}
