import { AuthorizationError } from '../../errors.ts'

/** Who waits for a sign-in that somebody else works on does not wait for ever. */
export function heldTooLong(timeoutMs: number, holder: string): AuthorizationError {
  const reason = `This sign-in has been worked on by ${holder} for more than ${timeoutMs} ms (lockTimeoutMs); try again`
  return new AuthorizationError({ status: 0, reason })
}
