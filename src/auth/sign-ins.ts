import type { AuthOptions } from './auth-options.ts'
import type { TokenStore } from './store/token-store.ts'
import { signInKeys } from './tokens/sign-in-keys.ts'
import { parseTokens, type StoredTokens } from './tokens/stored-tokens.ts'
import { TokenShelf } from './tokens/token-shelf.ts'

/** A sign-in as anybody may see it: without its tokens. */
export interface SignIn {
  /** Who issued it. */
  readonly issuer: string
  /** For which server. */
  readonly resource: string
  readonly scopes: readonly string[]
  /** When its token ends, in ms since the epoch; undefined where the issuer did not say. */
  readonly expiresAtMs: number | undefined
  /** Whether it goes on after that without a person. */
  readonly canRefresh: boolean
}

/** Every sign-in that a store holds. */
export async function listSignIns(store: TokenStore): Promise<readonly SignIn[]> {
  const texts = await Promise.all((await store.keys()).map((key) => store.read(key)))
  return texts.flatMap((text) => {
    const tokens = parseTokens(text)
    return tokens ? [withoutTokens(tokens)] : []
  })
}

/** The sign-in that a client with these options would use for a server. */
export async function findSignIn(
  store: TokenStore,
  url: string,
  auth: AuthOptions = {},
): Promise<SignIn | undefined> {
  const shelf = new TokenShelf(store, signInKeys(new URL(url), auth))
  const place = await shelf.lastPlace()
  const tokens = place && (await shelf.stored(place.issuer, place.resource))
  return tokens && withoutTokens(tokens)
}

/**
 * Forgets that sign-in, as whom this client is known to its issuer, and that no other may see it. Resolves with the sign-in there was.
 */
export async function removeSignIn(
  store: TokenStore,
  url: string,
  auth: AuthOptions = {},
): Promise<SignIn | undefined> {
  const keys = signInKeys(new URL(url), auth)
  const found = await findSignIn(store, url, auth)
  await store.remove(keys.place)
  if (!found) return undefined
  const { issuer, resource } = found
  await store.locked(keys.tokens(issuer, resource), () => store.remove(keys.tokens(issuer, resource)))
  await store.remove(keys.client(issuer))
  return found
}

/** Forgets all there is. Resolves with what there was. */
export async function removeAllSignIns(store: TokenStore): Promise<readonly SignIn[]> {
  const found = await listSignIns(store)
  for (const key of await store.keys()) await store.remove(key)
  return found
}

function withoutTokens({ issuer, resource, scopes, expiresAtMs, refreshToken }: StoredTokens): SignIn {
  return { issuer, resource, scopes, expiresAtMs, canRefresh: refreshToken !== undefined }
}
