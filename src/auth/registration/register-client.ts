import {
  type AuthorizationServer,
  type Client,
  dynamicClientRegistrationRequest,
  processDynamicClientRegistrationResponse,
} from 'oauth4webapi'
import { isObject } from '../../protocol/json-rpc.ts'
import type { AuthOptions } from '../auth-options.ts'
import { textsIn } from '../discovery/texts-in.ts'
import type { GuardedFetch } from '../fetch/guarded-fetch.ts'
import { requestOptions } from '../fetch/request-options.ts'
import { isAtHome } from '../redirect-uri.ts'
import { type RegisteredClient, readClient } from './registered-client.ts'

/** Registers this client (RFC 7591). Rejects as the library does. */
export async function registerClient(
  as: AuthorizationServer,
  { redirectUri, clientMetadata = {} }: AuthOptions & { readonly redirectUri: string },
  fetch: GuardedFetch,
  signal: AbortSignal,
): Promise<RegisteredClient> {
  const { contacts, ...own } = clientMetadata
  const asked = {
    client_name: 'mcp-troupe',
    application_type: isAtHome(redirectUri) ? 'native' : 'web',
    token_endpoint_auth_method: firstOffered(textsIn(as.token_endpoint_auth_methods_supported)),
    ...own,
    ...(contacts && { contacts: [...contacts] }),
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  } as const satisfies Omit<Client, 'client_id' | 'redirect_uris'> & { readonly [member: string]: unknown }
  const response = await dynamicClientRegistrationRequest(
    as,
    asked as unknown as Parameters<typeof dynamicClientRegistrationRequest>[1],
    requestOptions(fetch, signal),
  )
  const given = readClient(await processDynamicClientRegistrationResponse(await conforming(response)))
  return { ...given, client_id: given?.client_id ?? '', redirect_uris: [redirectUri] }
}

/** A client that cannot keep a secret had better have none. */
function firstOffered(offered: readonly string[]): string {
  const liked = ['none', 'client_secret_basic', 'client_secret_post']
  return offered.length === 0 ? 'none' : (liked.find((method) => offered.includes(method)) ?? 'none')
}

/** Many servers answer 200, and leave out that a secret never expires; both mean what they seem to. */
async function conforming(response: Response): Promise<Response> {
  if (response.status !== 200 && response.status !== 201) return response
  const body: unknown = await response.json()
  const isWithoutExpiry = isObject(body) && typeof body.client_secret_expires_at !== 'number'
  return Response.json(isWithoutExpiry ? { ...body, client_secret_expires_at: 0 } : body, { status: 201 })
}
