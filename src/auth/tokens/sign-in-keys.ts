import { createHash } from 'node:crypto'
import { type AuthOptions, grantOf } from '../auth-options.ts'

/** Under which keys a store keeps what belongs to one server and client. */
export interface SignInKeys {
  /** Who issued tokens for the server last, or is the only one who may. */
  readonly place: string
  client(issuer: string): string
  tokens(issuer: string, resource: string): string
}

/** A store shows its keys: of the server's URL, which may hold a secret, they name the origin alone. */
export function signInKeys(server: URL, auth: AuthOptions): SignInKeys {
  const client = clientName(auth)
  const digest = createHash('sha256').update(server.href).digest('hex').slice(0, 16)
  return {
    place: `server ${server.origin} ${digest} ${client}`,
    client: (issuer) => `client ${issuer} ${client}`,
    tokens: (issuer, resource) => `tokens ${issuer} ${resource} ${client}`,
  }
}

/** What makes two configurations the same client: whoever registers by itself is one, wherever it runs. */
export function clientName(auth: AuthOptions): string {
  return `${grantOf(auth).type} ${auth.clientId ?? auth.clientMetadataUrl ?? 'registered'}`
}
