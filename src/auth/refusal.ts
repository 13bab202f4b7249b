import { AuthorizationError } from '../errors.ts'
import { redactText } from '../redact.ts'

/** A sign-in that does not go on, and why. */
export function refusal(reason: string, options?: ErrorOptions): AuthorizationError {
  return new AuthorizationError({ status: 401, reason: redactText(reason).slice(0, longestReason) }, options)
}

/** Much of it may be a stranger's. */
const longestReason = 1_000
