import type { AuthorizationServer } from 'oauth4webapi'
import type { Challenge } from '../../../machines/authorization-facts.ts'
import type { AuthOptions } from '../auth-options.ts'
import type { GuardedFetch } from '../fetch/guarded-fetch.ts'
import { refusal } from '../refusal.ts'
import { shownElsewhere } from '../registration/shown-elsewhere.ts'
import { findResourceMetadata } from './resource-metadata.ts'
import { assumedMetadata, findServerMetadata } from './server-metadata.ts'

/** Who issues tokens for a server, and what it wants of them. */
export interface Issuing {
  readonly as: AuthorizationServer
  readonly resource: string
  /** All that the server publishes. */
  readonly scopes: readonly string[]
  readonly wantsDpop: boolean
}

export interface DiscoveryParts {
  readonly server: URL
  readonly auth: AuthOptions
  /** Who issued tokens for it before, or was to. */
  readonly lastIssuer: string | undefined
  readonly fetch: GuardedFetch
}

/** Asks the server who issues its tokens, and them who they are. @throws AuthorizationError when any of them lies */
export async function discoverIssuer(
  parts: DiscoveryParts,
  challenge: Challenge | undefined,
  signal: AbortSignal,
): Promise<Issuing> {
  const { server, auth, fetch } = parts
  const metadata = await findResourceMetadata(server, challenge?.resourceMetadata, fetch, signal)
  const { resource, scopes, authorizationServers } = metadata ?? undescribed(parts)
  const issuer = chosen(parts, resource, authorizationServers)
  const as = metadata
    ? await findServerMetadata(issuer, fetch, signal)
    : await findServerMetadata(issuer, fetch, signal).catch(() => assumedMetadata(issuer))
  const wantsDpop = auth.dpop ?? (metadata?.wantsDpop === true || challenge?.wantsDpop === true)
  return { as, resource, scopes, wantsDpop }
}

/** A server of 2025-03-26 issues its tokens itself. */
function undescribed({ server, auth }: DiscoveryParts) {
  if (auth.allowMissingMetadata !== true) {
    throw refusal(
      `${server.host} wants a token and does not say who issues it: it publishes no metadata; if it is of 2025-03-26 and to be trusted, set auth.allowMissingMetadata`,
    )
  }
  return { resource: server.origin + server.pathname, scopes: [], authorizationServers: [server.origin] }
}

function chosen(
  { auth: { clientId, issuer }, lastIssuer }: DiscoveryParts,
  resource: string,
  offered: readonly string[],
): string {
  const wanted = issuer ?? lastIssuer
  if (wanted !== undefined && offered.includes(wanted)) return wanted
  // Who a client was registered with by hand is all that its id and secret may be shown to.
  if (issuer !== undefined && clientId !== undefined) {
    throw refusal(
      `${resource} takes tokens of ${offered.join(', ')}, but ${clientId} is a client of ${issuer}; register one there, and set auth.clientId and auth.issuer`,
    )
  }
  if (issuer !== undefined)
    throw refusal(`${resource} takes tokens of ${offered.join(', ')}, not of ${issuer} (auth.issuer)`)
  if (lastIssuer !== undefined && clientId !== undefined)
    throw shownElsewhere(clientId, lastIssuer, `${resource} takes tokens of ${offered.join(', ')}`)
  return offered[0] ?? resource
}
