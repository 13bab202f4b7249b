import { systemClock } from '../../../clock.ts'
import { idleClock } from '../../../idle-clock.ts'
import type { Identity } from './identify.ts'

/** Calls `end` when the token of somebody has expired: what is told unasked is told no longer. Returns what stops that. */
export function whenExpired(identity: Identity | undefined, end: () => void): () => void {
  if (identity === undefined || identity.expiresAt === Number.POSITIVE_INFINITY) return () => {}
  const timer = clock.setTimeout(end, identity.expiresAt - Date.now())
  return () => clock.clearTimeout(timer)
}

/** Nothing is kept running for it. */
const clock = idleClock(systemClock)
