import type { JWK } from 'jose'
import type { AuthorizationServer, TokenEndpointResponse } from 'oauth4webapi'
import type { TokenFacts } from '../../../machines/authorization-facts.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import { refusal } from '../refusal.ts'
import { type RegisteredClient, readClient } from '../registration/registered-client.ts'
import { scopesIn } from '../scopes.ts'

/** A sign-in as a store keeps it, under the issuer and the resource it is for. */
export interface StoredTokens {
  readonly issuer: string
  readonly resource: string
  readonly accessToken: string
  readonly tokenType: 'bearer' | 'dpop'
  readonly refreshToken?: string
  /** Since the epoch. */
  readonly issuedAtMs?: number
  readonly expiresAtMs?: number
  readonly scopes: readonly string[]
  /** Whose tokens they are. */
  readonly client: RegisteredClient
  /** The private key they are bound to. */
  readonly dpopKey?: JWK
}

/** Undefined for a text that is no sign-in of this version. */
export function parseTokens(text: string | undefined): StoredTokens | undefined {
  const value = parseJson(text)
  if (!isObject(value)) return undefined
  const { issuer, resource, accessToken, tokenType, refreshToken, issuedAtMs, expiresAtMs, scopes, dpopKey } =
    value
  const client = readClient(value.client)
  if (
    typeof issuer !== 'string' ||
    typeof resource !== 'string' ||
    typeof accessToken !== 'string' ||
    !client
  )
    return undefined
  if (!fitsHeader.test(accessToken)) return undefined
  if (tokenType !== 'bearer' && (tokenType !== 'dpop' || !isObject(dpopKey))) return undefined
  return {
    issuer,
    resource,
    accessToken,
    tokenType,
    scopes: Array.isArray(scopes) ? scopes.map(String) : [],
    client,
    ...(typeof refreshToken === 'string' && { refreshToken }),
    ...(typeof issuedAtMs === 'number' && { issuedAtMs }),
    ...(typeof expiresAtMs === 'number' && { expiresAtMs }),
    ...(isObject(dpopKey) && { dpopKey: dpopKey as JWK }),
  }
}

/** What is shown must not end up in an error about its form. */
const fitsHeader = /^[\x21-\x7e]+$/

/** What a token endpoint answered. @throws AuthorizationError for a token of another kind than was asked for */
export function tokensFrom(
  answer: TokenEndpointResponse,
  {
    as,
    resource,
    client,
  }: { readonly as: AuthorizationServer; readonly resource: string; readonly client: RegisteredClient },
  scopes: readonly string[],
  dpopKey: JWK | undefined,
): StoredTokens {
  const { access_token, token_type, refresh_token, expires_in, scope } = answer
  const nowMs = Date.now()
  const tokenType = dpopKey ? 'dpop' : 'bearer'
  if (!fitsHeader.test(access_token)) throw refusal(`${as.issuer} issued a token that no header can hold`)
  if (token_type !== tokenType)
    throw refusal(`${as.issuer} issued a ${token_type} token where a ${tokenType} token was asked for`)
  return {
    issuer: as.issuer,
    resource,
    accessToken: access_token,
    tokenType,
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    issuedAtMs: nowMs,
    ...(expires_in !== undefined && { expiresAtMs: nowMs + expires_in * 1000 }),
    scopes: scope === undefined ? scopes : scopesIn(scope),
    client,
    ...(dpopKey && { dpopKey }),
  }
}

/** Whether they will serve for a request that is about to be sent. Unless it was said otherwise, for ever. */
export function isFresh(tokens: Lifetime, nowMs: number): boolean {
  return nowMs < freshUntilMs(tokens)
}

/** Until when a token may be shown without another look: a request has its way to go, and clocks differ. */
export function freshUntilMs({ issuedAtMs = 0, expiresAtMs = Number.POSITIVE_INFINITY }: Lifetime): number {
  return expiresAtMs - Math.min(30_000, (expiresAtMs - issuedAtMs) / 10)
}

type Lifetime = Pick<StoredTokens, 'issuedAtMs' | 'expiresAtMs'>

/** What may be known of them. */
export function factsOf(
  { refreshToken, scopes, expiresAtMs }: StoredTokens,
  origin: TokenFacts['origin'],
): TokenFacts {
  return { origin, canRefresh: refreshToken !== undefined, scopes, expiresAtMs }
}

/** Undefined for what is no JSON. */
export function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
