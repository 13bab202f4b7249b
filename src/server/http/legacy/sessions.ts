import type { Clock } from '../../../clock.ts'
import { HttpSession, type HttpSessionParts } from './http-session.ts'

export interface SessionsOptions {
  readonly maxSessions: number
  readonly idleMs: number
  readonly clock: Clock
}

/**
 * The sessions of one endpoint: so many, and each for as long as it is used or its client is connected. When there are too many, who
 * has most loses the one used longest ago: nobody can drive the others out.
 */
export class Sessions {
  readonly #parts: HttpSessionParts
  readonly #options: SessionsOptions
  /** In the order of their last use. */
  readonly #sessions = new Map<string, { readonly session: HttpSession; readonly usedAt: number }>()

  constructor(parts: HttpSessionParts, options: SessionsOptions) {
    this.#parts = parts
    this.#options = options
  }

  begin(principal?: string): HttpSession {
    this.#endIdle()
    if (this.#sessions.size >= this.#options.maxSessions) this.end(this.#dispensable())
    const session = new HttpSession(this.#parts, principal)
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

  /** Ends what would last: streams that belong to no request. */
  stop(): void {
    for (const { session } of this.#sessions.values()) session.stopListening()
  }

  #use(session: HttpSession): void {
    this.#sessions.delete(session.id)
    this.#sessions.set(session.id, { session, usedAt: this.#options.clock.now() })
  }

  #endIdle(): void {
    const { idleMs, clock } = this.#options
    for (const [id, { session, usedAt }] of this.#sessions) {
      if (usedAt + idleMs > clock.now()) break
      if (session.isConnected) this.#use(session)
      else this.end(id)
    }
  }

  #dispensable(): string {
    const counts = new Map<string | undefined, number>()
    for (const { session } of this.#sessions.values())
      counts.set(session.principal, (counts.get(session.principal) ?? 0) + 1)
    const most = Math.max(...counts.values())
    const [oldest = ''] =
      [...this.#sessions].find(([, { session }]) => counts.get(session.principal) === most) ?? []
    return oldest
  }
}
