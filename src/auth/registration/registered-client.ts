import { isObject } from '../../protocol/json-rpc.ts'

/** A client as its authorization server knows it; the names are those of RFC 7591. */
export interface RegisteredClient {
  readonly client_id: string
  readonly client_secret?: string
  /** Seconds since the epoch; 0: never. */
  readonly client_secret_expires_at?: number
  readonly token_endpoint_auth_method?: string
  readonly redirect_uris?: readonly string[]
}

/** What of a client is kept; undefined when it is none. */
export function readClient(value: unknown): RegisteredClient | undefined {
  if (!isObject(value) || typeof value.client_id !== 'string') return undefined
  const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method, redirect_uris } =
    value
  return {
    client_id,
    ...(typeof client_secret === 'string' && { client_secret }),
    ...(typeof client_secret_expires_at === 'number' && { client_secret_expires_at }),
    ...(typeof token_endpoint_auth_method === 'string' && { token_endpoint_auth_method }),
    ...(Array.isArray(redirect_uris) && { redirect_uris: redirect_uris.map(String) }),
  }
}

/** Whether a registration made before still serves. */
export function isUsable(client: RegisteredClient, redirectUri: string | undefined, nowMs: number): boolean {
  const { client_secret_expires_at: expiresAt = 0, redirect_uris: uris = [] } = client
  const isExpired = expiresAt > 0 && expiresAt * 1000 <= nowMs
  return !isExpired && (redirectUri === undefined || uris.includes(redirectUri))
}
