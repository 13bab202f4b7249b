import type { AuthorizationServer } from 'oauth4webapi'
import type { AuthOptions } from '../auth-options.ts'
import type { GuardedFetch } from '../fetch/guarded-fetch.ts'
import { refusal } from '../refusal.ts'
import { registerClient } from './register-client.ts'
import { isUsable, type RegisteredClient } from './registered-client.ts'

export interface ClientChoice {
  readonly client: RegisteredClient
  /** Whether it came about just now. */
  readonly isNew: boolean
}

/**
 * As whom to ask: as it was registered by hand, by its metadata document, as it registered itself before, else it does so now.
 * @throws AuthorizationError when the server takes none of these.
 */
export async function chooseClient(
  auth: AuthOptions,
  as: AuthorizationServer,
  kept: RegisteredClient | undefined,
  fetch: GuardedFetch,
  signal: AbortSignal,
): Promise<ClientChoice> {
  const { clientId, clientSecret, clientMetadataUrl, redirectUri } = auth
  if (clientId !== undefined)
    return known({ client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) })
  if (clientMetadataUrl !== undefined && as.client_id_metadata_document_supported === true)
    return known({ client_id: clientMetadataUrl })
  if (kept && isUsable(kept, redirectUri, Date.now())) return known(kept)
  if (as.registration_endpoint !== undefined && redirectUri !== undefined)
    return { client: await registerClient(as, { ...auth, redirectUri }, fetch, signal), isNew: true }
  throw refusal(`${as.issuer} lets no client register by itself; register one there and set auth.clientId`)
}

function known(client: RegisteredClient): ClientChoice {
  return { client, isNew: false }
}
