import { checkOptions, milliseconds, object } from '../../check-options.ts'
import { type Clock, systemClock } from '../../clock.ts'
import { settlesWithin } from '../../settles-within.ts'
import { heldTooLong } from './held-too-long.ts'
import type { TokenStore } from './token-store.ts'

interface MemoryTokenStoreOptions {
  /** How long `locked` waits for others; milliseconds, default 60 000. */
  readonly lockTimeoutMs?: number
  readonly clock?: Clock
}

/** Sign-ins that end with the process. */
export class MemoryTokenStore implements TokenStore {
  readonly #values = new Map<string, string>()
  readonly #clock: Clock
  readonly #lockTimeoutMs: number
  /** The last in line for each key. */
  readonly #lines = new Map<string, Promise<void>>()

  /** @throws ConfigError */
  constructor(options: MemoryTokenStoreOptions = {}) {
    checkOptions(options, { lockTimeoutMs: milliseconds, clock: object })
    const { lockTimeoutMs = 60_000, clock = systemClock } = options
    this.#lockTimeoutMs = lockTimeoutMs
    this.#clock = clock
  }

  async read(key: string): Promise<string | undefined> {
    return this.#values.get(key)
  }

  async write(key: string, value: string): Promise<void> {
    this.#values.set(key, value)
  }

  async remove(key: string): Promise<void> {
    this.#values.delete(key)
  }

  async keys(): Promise<readonly string[]> {
    return [...this.#values.keys()]
  }

  async locked<T>(key: string, action: () => Promise<T>): Promise<T> {
    const before = this.#lines.get(key) ?? Promise.resolve()
    let leave = () => {}
    const left = new Promise<void>((resolve) => {
      leave = resolve
    })
    const line = before.then(() => left)
    this.#lines.set(key, line)
    void line.then(() => this.#lines.get(key) === line && this.#lines.delete(key))
    try {
      if (!(await settlesWithin(before, this.#lockTimeoutMs, this.#clock)))
        throw heldTooLong(this.#lockTimeoutMs, 'the rest of this program')
      return await action()
    } finally {
      leave()
    }
  }
}
