import type { AuthOptions } from '../../auth/auth-options.ts'
import { leadsToLoopback } from '../../loopback.ts'
import type { HidingIo } from '../hiding-io.ts'

/** A server as requests reach it. */
interface Reached {
  readonly url: string
  readonly headers?: { readonly [name: string]: string }
  readonly auth?: AuthOptions
}

/**
 * How to get through to a server as its configuration says, and with the sign-in of `troupe auth` where there is one. Undefined where
 * neither is: then the server is asked as anybody asks it.
 */
export async function storedAuth(server: Reached, io: HidingIo): Promise<AuthOptions | undefined> {
  if (!takesTokens(server)) return server.auth
  const { signInsOf } = await import('./sign-ins-of.ts')
  const store = signInsOf(io)
  if (server.auth) return { store, ...server.auth }
  const { findSignIn } = await import('../../auth/sign-ins.ts')
  return (await findSignIn(store, server.url)) && { store }
}

/** Who has other credentials needs none; and nobody on the way may read them. */
export function takesTokens({ url, headers = {} }: Reached): boolean {
  if (!URL.canParse(url) || Object.keys(headers).some((name) => /^(authorization|dpop)$/i.test(name)))
    return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && leadsToLoopback(hostname))
}
