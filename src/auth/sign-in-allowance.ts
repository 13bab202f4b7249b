/** How often a person may be sent to sign in: a server that is never content, and an issuer that agrees at once, would open page after page. */
export class SignInAllowance {
  #startsMs: readonly number[] = []

  /** Whether there may be one more now. */
  take(nowMs: number): boolean {
    this.#startsMs = this.#startsMs.filter((startMs) => Math.abs(nowMs - startMs) < spanMs)
    if (this.#startsMs.length >= most) return false
    this.#startsMs = [...this.#startsMs, nowMs]
    return true
  }
}

/** Enough for scopes that are missing one after the other. */
const most = 10
const spanMs = 600_000
