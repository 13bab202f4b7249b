import { AuthorizationError } from '../errors.ts'
import { redactText } from '../redact.ts'

/** A sign-in that does not go on, and why. */
export function refusal(reason: string, options?: ErrorOptions): AuthorizationError {
  // Cut first, for a stranger's text may be long to read; but not through a secret.
  const read = redactText(reason.slice(0, longestReason + lookAhead))
  return new AuthorizationError({ status: 401, reason: read.slice(0, longestReason) }, options)
}

/** Much of it may be a stranger's. */
const longestReason = 1_000
const lookAhead = 200
