import type { AuthorizationError } from '../../errors.ts'
import { refusal } from '../refusal.ts'

/** A client that was registered by hand, and its secret, would be shown to somebody else than before: `now` says why. */
export function shownElsewhere(clientId: string, before: string, now: string): AuthorizationError {
  // What the server says comes last: it may be long, and a reason is cut.
  return refusal(
    `${clientId} was shown to ${before}, and is shown to nobody else unless you say so (set auth.issuer, or forget it: troupe auth --reset, removeSignIn); now ${now}`,
  )
}
