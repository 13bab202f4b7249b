import { processResourceDiscoveryResponse, type ResourceServer } from 'oauth4webapi'
import type { GuardedFetch } from '../fetch/guarded-fetch.ts'
import { refusal } from '../refusal.ts'
import { getDocument, memberOf } from './get-document.ts'
import { isPlainUrl } from './plain-url.ts'
import { textsIn } from './texts-in.ts'
import { resourceMetadataUrls } from './well-known.ts'

/** What a server says about who may use it. */
export interface ResourceMetadata {
  /** As it writes itself: that is what tokens are asked for. */
  readonly resource: string
  readonly authorizationServers: readonly string[]
  readonly scopes: readonly string[]
  readonly wantsDpop: boolean
}

/**
 * Finds the metadata of a server: where its challenge says, else at the well-known places. Undefined where there is none.
 * @throws AuthorizationError when it is another server's, or names nobody who issues tokens.
 */
export async function findResourceMetadata(
  server: URL,
  challenged: string | undefined,
  fetch: GuardedFetch,
  signal: AbortSignal,
): Promise<ResourceMetadata | undefined> {
  const places = [...(challenged === undefined ? [] : [challenged]), ...resourceMetadataUrls(server)]
  for (const place of new Set(places)) {
    const response = await getDocument(place, fetch, signal)
    if (!response) continue
    const resource = await memberOf(response, 'resource')
    if (!covers(resource, server))
      throw refusal(`the metadata of ${server.host} is about ${resource}, which is another server`)
    return read(await processResourceDiscoveryResponse(new URL(resource), response))
  }
  return undefined
}

function read(document: ResourceServer): ResourceMetadata {
  const { resource } = document
  const authorizationServers = textsIn(document.authorization_servers)
  if (authorizationServers.length === 0)
    throw refusal(`the metadata of ${resource} names no authorization server; whoever runs it has to add one`)
  const wantsDpop = document.dpop_bound_access_tokens_required === true
  return { resource, authorizationServers, scopes: textsIn(document.scopes_supported), wantsDpop }
}

/** Whether a token for `resource` is one for `server`: the same origin, and the same path or one above it. */
export function covers(resource: string, server: URL): boolean {
  if (!isPlainUrl(resource)) return false
  const { origin, pathname, hash, search } = new URL(resource)
  const above = pathname.endsWith('/') ? pathname : `${pathname}/`
  const isAbove = `${server.pathname}/`.startsWith(above)
  return origin === server.origin && isAbove && hash === '' && (search === '' || search === server.search)
}
