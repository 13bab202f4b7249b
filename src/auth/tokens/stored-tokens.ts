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
  const { issuer, resource, accessToken, tokenType, refreshToken, expiresAtMs, scopes, dpopKey } = value
  const client = readClient(value.client)
  if (
    typeof issuer !== 'string' ||
    typeof resource !== 'string' ||
    typeof accessToken !== 'string' ||
    !client
  )
    return undefined
  if (tokenType !== 'bearer' && (tokenType !== 'dpop' || !isObject(dpopKey))) return undefined
  return {
    issuer,
    resource,
    accessToken,
    tokenType,
    scopes: Array.isArray(scopes) ? scopes.map(String) : [],
    client,
    ...(typeof refreshToken === 'string' && { refreshToken }),
    ...(typeof expiresAtMs === 'number' && { expiresAtMs }),
    ...(isObject(dpopKey) && { dpopKey: dpopKey as JWK }),
  }
}

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
  const tokenType = dpopKey ? 'dpop' : 'bearer'
  if (token_type !== tokenType)
    throw refusal(`${as.issuer} issued a ${token_type} token where a ${tokenType} token was asked for`)
  return {
    issuer: as.issuer,
    resource,
    accessToken: access_token,
    tokenType,
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    ...(expires_in !== undefined && { expiresAtMs: Date.now() + expires_in * 1000 }),
    scopes: scope === undefined ? scopes : scopesIn(scope),
    client,
    ...(dpopKey && { dpopKey }),
  }
}

/** Whether they will serve for a request that is about to be sent. Unless it was said otherwise, for ever. */
export function isFresh({ expiresAtMs }: Pick<StoredTokens, 'expiresAtMs'>, nowMs: number): boolean {
  return nowMs < freshUntilMs({ expiresAtMs })
}

/** Until when a token may be shown without another look. */
export function freshUntilMs({ expiresAtMs }: Pick<StoredTokens, 'expiresAtMs'>): number {
  return expiresAtMs === undefined ? Number.POSITIVE_INFINITY : expiresAtMs - marginMs
}

/** A request has its way to go, and clocks differ. */
const marginMs = 30_000

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
