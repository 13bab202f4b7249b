import type { AuthOptions } from './auth-options.ts'
import { Authorizer } from './authorizer.ts'
import { MemoryTokenStore } from './store/memory-token-store.ts'
import { clientName } from './tokens/sign-in-keys.ts'

/** By the store; where none was given, by the options: those who share neither may be different people. */
const authorizers = new WeakMap<object, Map<string, Authorizer>>()

/** The one of this process for that server and client, however many connections there are. */
export function authorizerFor(url: string, auth: AuthOptions): Authorizer {
  const owner = auth.store ?? auth
  const known = authorizers.get(owner) ?? new Map<string, Authorizer>()
  authorizers.set(owner, known)
  // What a sign-in may lead to is settled with the first: who allows less, or trusts another issuer, has one of their own.
  const { issuer = '', allowPrivateNetwork = false } = auth
  const key = JSON.stringify([clientName(auth), url, issuer, allowPrivateNetwork])
  const existing = known.get(key)
  if (existing) {
    existing.use(auth)
    return existing
  }
  const created = new Authorizer(new URL(url), auth, auth.store ?? new MemoryTokenStore())
  known.set(key, created)
  return created
}
