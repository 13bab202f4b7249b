import type { TokenEndpointResponse } from 'oauth4webapi'
import { type AuthOptions, grantOf } from '../auth-options.ts'
import { refusal } from '../refusal.ts'
import { tokenFrom } from './assertion.ts'
import { type Consent, redeem } from './authorization-code.ts'
import { grantClientCredentials } from './client-credentials.ts'
import { grantAssertion } from './enterprise.ts'
import { grantJwtBearer } from './jwt-bearer.ts'
import type { TokenParty } from './token-request.ts'

/** A token, in the way that was configured. Rejects as the library does, or with an AuthorizationError. */
export async function grantToken(
  auth: AuthOptions,
  party: TokenParty,
  consent: Consent | undefined,
  scopes: readonly string[],
  signal: AbortSignal,
): Promise<TokenEndpointResponse> {
  const grant = grantOf(auth)
  switch (grant.type) {
    case 'authorization_code':
      if (!consent) throw refusal('nobody has consented')
      return redeem(party, consent, signal)
    case 'client_credentials':
      return grantClientCredentials(party, scopes, signal)
    case 'jwt_bearer': {
      const asking = { option: 'grant.assertion', audience: party.as.issuer } as const
      return grantJwtBearer(party, await tokenFrom(grant.assertion, asking, auth), scopes, signal)
    }
    case 'enterprise':
      return grantJwtBearer(party, await grantAssertion(grant, party, scopes, signal, auth), scopes, signal)
  }
}
