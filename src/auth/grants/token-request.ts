import {
  type AuthorizationServer,
  type Client,
  type ClientAuth,
  isDPoPNonceError,
  type TokenEndpointResponse,
} from 'oauth4webapi'
import type { GuardedFetch } from '../fetch/guarded-fetch.ts'
import { type RequestOptions, requestOptions } from '../fetch/request-options.ts'
import type { DpopKey } from '../tokens/dpop-key.ts'

/** At whose token endpoint, as whom, and for which server a token is asked for. */
export interface TokenParty {
  readonly as: AuthorizationServer
  readonly client: Client
  readonly authenticate: ClientAuth
  /** Goes along with every request. */
  readonly resource: string
  readonly dpop: DpopKey | undefined
  readonly fetch: GuardedFetch
}

/** The options of a request for a token. */
export function tokenRequestOptions({ dpop, fetch }: TokenParty, signal: AbortSignal): RequestOptions {
  return { ...requestOptions(fetch, signal), ...(dpop && { DPoP: dpop.handle }) }
}

/** What a grant needs beside its own parameters. */
export function resourceAndScope(
  { resource }: Pick<TokenParty, 'resource'>,
  scopes: readonly string[],
): URLSearchParams {
  const parameters = new URLSearchParams({ resource })
  if (scopes.length > 0) parameters.set('scope', scopes.join(' '))
  return parameters
}

/** One request and its answer; once more where the server only wants its nonce in the proof. */
export async function requestToken(
  send: () => Promise<Response>,
  read: (response: Response) => Promise<TokenEndpointResponse>,
): Promise<TokenEndpointResponse> {
  try {
    return await read(await send())
  } catch (error) {
    if (!isDPoPNonceError(error)) throw error
    return read(await send())
  }
}
