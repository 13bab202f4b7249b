import { type AuthorizationServer, processDiscoveryResponse } from 'oauth4webapi'
import type { GuardedFetch } from '../fetch/guarded-fetch.ts'
import { refusal } from '../refusal.ts'
import { getDocument, memberOf } from './get-document.ts'
import { isPlainUrl } from './plain-url.ts'
import { serverMetadataUrls } from './well-known.ts'

/**
 * The metadata of an authorization server. A document that says it is of another issuer, be it by a slash, is passed over.
 * @throws AuthorizationError when none is left.
 */
export async function findServerMetadata(
  issuer: string,
  fetch: GuardedFetch,
  signal: AbortSignal,
): Promise<AuthorizationServer> {
  if (!/^https?:\/\/./.test(issuer) || !isPlainUrl(issuer))
    throw refusal(`the issuer ${issuer} is no https address`)
  const places = serverMetadataUrls(new URL(issuer))
  let other: string | undefined
  for (const place of places) {
    const response = await getDocument(place, fetch, signal)
    if (!response) continue
    const said = await memberOf(response, 'issuer')
    if (said === issuer) return processDiscoveryResponse(new URL(issuer), response)
    other ??= said
  }
  throw refusal(
    other === undefined
      ? `${issuer} publishes no metadata; looked at ${places.join(', ')}`
      : `the metadata of ${issuer} says it is of ${other}: it is not to be trusted`,
  )
}

/** What a server of 2025-03-26 that publishes nothing is taken for. */
export function assumedMetadata(issuer: string): AuthorizationServer {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    code_challenge_methods_supported: ['S256'],
  }
}
