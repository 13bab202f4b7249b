import { AuthorizationError } from '../errors.ts'
import { redactText } from '../redact.ts'

/** A sign-in that does not go on, and why. */
export function refusal(reason: string, options?: ErrorOptions): AuthorizationError {
  return new AuthorizationError({ status: 401, reason: redactText(reason) }, options)
}
