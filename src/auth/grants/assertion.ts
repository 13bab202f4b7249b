import { ConfigError } from '../../errors.ts'
import { thrownMessage } from '../../thrown-message.ts'
import type { AssertionSource } from '../auth-options.ts'

/** The token that the host gave, or gives when asked. @throws ConfigError when it gave none */
export async function tokenFrom(given: string | AssertionSource, audience: string): Promise<string> {
  if (typeof given === 'string') return given
  const token: unknown = await asked(given, audience)
  if (typeof token === 'string' && token !== '') return token
  throw new ConfigError({ path: ['auth', 'grant'], reason: 'its function gave no token' })
}

async function asked(source: AssertionSource, audience: string): Promise<unknown> {
  try {
    return await source({ audience })
  } catch (cause) {
    const reason = `its function failed: ${thrownMessage(cause)}`
    throw new ConfigError({ path: ['auth', 'grant'], reason }, { cause })
  }
}
