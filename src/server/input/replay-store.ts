/** Remembers which states came back already, so that each is taken once. Share one between instances that share a `stateSecret`. */
export interface ReplayStore {
  /** True the first time a nonce is claimed; it need not be remembered past `expiresAt` (ms since 1970). */
  claim(nonce: string, expiresAt: number): boolean | Promise<boolean>
}

/** In this process. What expired is forgotten; what has not is bounded by how many calls wait for input. */
export class MemoryReplayStore implements ReplayStore {
  readonly #claimed = new Map<string, number>()

  claim(nonce: string, expiresAt: number): boolean {
    const now = Date.now()
    // In the order they were claimed, which is nearly the order they expire in.
    for (const [old, end] of this.#claimed) {
      if (end > now) break
      this.#claimed.delete(old)
    }
    if (this.#claimed.has(nonce)) return false
    this.#claimed.set(nonce, expiresAt)
    return true
  }
}
