import type { TokenEndpointResponse } from 'oauth4webapi'
import type { AuthGrant } from '../auth-options.ts'
import { refusal } from '../refusal.ts'
import { tokenFrom } from './assertion.ts'
import { type Consent, redeem } from './authorization-code.ts'
import { grantClientCredentials } from './client-credentials.ts'
import { grantAssertion } from './enterprise.ts'
import { grantJwtBearer } from './jwt-bearer.ts'
import type { TokenParty } from './token-request.ts'

/** A token, in the way that was configured. Rejects as the library does, or with an AuthorizationError. */
export async function grantToken(
  grant: AuthGrant,
  party: TokenParty,
  consent: Consent | undefined,
  scopes: readonly string[],
  signal: AbortSignal,
): Promise<TokenEndpointResponse> {
  switch (grant.type) {
    case 'authorization_code':
      if (!consent) throw refusal('nobody has consented')
      return redeem(party, consent, signal)
    case 'client_credentials':
      return grantClientCredentials(party, scopes, signal)
    case 'jwt_bearer':
      return grantJwtBearer(party, await tokenFrom(grant.assertion, party.as.issuer), scopes, signal)
    case 'enterprise':
      return grantJwtBearer(party, await grantAssertion(grant, party, scopes, signal), scopes, signal)
  }
}
