import { systemClock } from '../../clock.ts'
import { idleClock } from '../../idle-clock.ts'
import { settlesWithin } from '../../settles-within.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { type AssertionSource, type AuthOptions, signInTimeoutOf } from '../auth-options.ts'
import { refusal } from '../refusal.ts'

/** What is asked for a token. */
interface Asking {
  /** Where in `auth` it stands. */
  readonly option: 'clientAssertion' | 'grant.assertion' | 'grant.subjectToken'
  readonly audience: string
}

/** The token that the host gave, or gives when asked. @throws AuthorizationError when it gives none, or not within `signInTimeoutMs` */
export async function tokenFrom(
  given: string | AssertionSource,
  { option, audience }: Asking,
  limits: Pick<AuthOptions, 'signInTimeoutMs'>,
): Promise<string> {
  if (typeof given === 'string') return given
  const asking = asked(given, { option, audience })
  const timeoutMs = signInTimeoutOf(limits)
  // A host that has closed its client need not wait.
  if (timeoutMs > 0 && !(await settlesWithin(asking, timeoutMs, idleClock(systemClock))))
    throw refusal(`the function auth.${option} gave no token within ${timeoutMs} ms (auth.signInTimeoutMs)`)
  return asking
}

async function asked(source: AssertionSource, { option, audience }: Asking): Promise<string> {
  let token: unknown
  try {
    token = await source({ audience })
  } catch (thrown) {
    throw refusal(`the function auth.${option} failed: ${thrownMessage(thrown)}`)
  }
  if (typeof token === 'string' && token !== '') return token
  throw refusal(`the function auth.${option} gave no token`)
}
