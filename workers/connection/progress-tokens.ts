import { ConfigError } from '../../src/errors.ts'
import type { ProgressToken } from '../../src/protocol/progress.ts'
import type { CallId } from '../frames.ts'

/** Whose progress a token reports: one token a call, forgotten the moment the call ends. */
export class ProgressTokens {
  readonly #calls = new Map<ProgressToken, CallId>()

  /** The token of a call: its own, or one minted for it. @throws ConfigError when the caller's token is in use. */
  take(call: CallId, wanted: ProgressToken | true): ProgressToken {
    const token = wanted === true ? this.#mint(call) : wanted
    if (this.#calls.has(token)) {
      throw new ConfigError({
        path: ['progressToken'],
        reason: `${JSON.stringify(token)} is in use by a call that has not ended`,
      })
    }
    this.#calls.set(token, call)
    return token
  }

  release(token: ProgressToken): void {
    this.#calls.delete(token)
  }

  /** Undefined for a late or foreign token. */
  callOf(token: ProgressToken): CallId | undefined {
    return this.#calls.get(token)
  }

  /** One that no caller happens to use. */
  #mint(call: CallId): ProgressToken {
    let token = `troupe-${call}`
    while (this.#calls.has(token)) token += '+'
    return token
  }
}
