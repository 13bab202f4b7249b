import {
  clientCredentialsGrantRequest,
  processClientCredentialsResponse,
  type TokenEndpointResponse,
} from 'oauth4webapi'
import { requestToken, resourceAndScope, type TokenParty, tokenRequestOptions } from './token-request.ts'

/** A token for the program itself. */
export function grantClientCredentials(
  party: TokenParty,
  scopes: readonly string[],
  signal: AbortSignal,
): Promise<TokenEndpointResponse> {
  const { as, client, authenticate } = party
  const parameters = resourceAndScope(party, scopes)
  const options = tokenRequestOptions(party, signal)
  return requestToken(
    () => clientCredentialsGrantRequest(as, client, authenticate, parameters, options),
    (response) => processClientCredentialsResponse(as, client, response),
  )
}
