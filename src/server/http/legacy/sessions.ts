import type { Clock } from '../../../clock.ts'
import type { Dispatcher } from '../../dispatch/dispatcher.ts'
import { HttpSession } from './http-session.ts'

export interface SessionsOptions {
  readonly maxSessions: number
  readonly idleMs: number
  readonly clock: Clock
}

/** The sessions of one endpoint: so many, and each for as long as it is used. Those used longest ago are ended first. */
export class Sessions {
  readonly #dispatcher: Dispatcher
  readonly #options: SessionsOptions
  /** In the order of their last use. */
  readonly #sessions = new Map<string, { readonly session: HttpSession; readonly usedAt: number }>()

  constructor(dispatcher: Dispatcher, options: SessionsOptions) {
    this.#dispatcher = dispatcher
    this.#options = options
  }

  begin(principal?: string): HttpSession {
    const { maxSessions } = this.#options
    this.#endIdle()
    const [oldest] = this.#sessions.keys()
    if (this.#sessions.size >= maxSessions && oldest !== undefined) this.end(oldest)
    const session = new HttpSession(this.#dispatcher, principal)
    this.#use(session)
    return session
  }

  /** Nobody finds what is somebody else's: an id is no credential. */
  find(id: string, principal?: string): HttpSession | undefined {
    this.#endIdle()
    const session = this.#sessions.get(id)?.session
    if (session?.principal !== principal) return undefined
    if (session) this.#use(session)
    return session
  }

  end(id: string): void {
    this.#sessions.get(id)?.session.end()
    this.#sessions.delete(id)
  }

  endAll(): void {
    for (const id of [...this.#sessions.keys()]) this.end(id)
  }

  #use(session: HttpSession): void {
    this.#sessions.delete(session.id)
    this.#sessions.set(session.id, { session, usedAt: this.#options.clock.now() })
  }

  #endIdle(): void {
    const { idleMs, clock } = this.#options
    for (const [id, { usedAt }] of this.#sessions) {
      if (usedAt + idleMs > clock.now()) break
      this.end(id)
    }
  }
}
