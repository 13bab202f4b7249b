import {
  genericTokenEndpointRequest,
  processGenericTokenEndpointResponse,
  type TokenEndpointResponse,
} from 'oauth4webapi'
import { requestToken, resourceAndScope, type TokenParty, tokenRequestOptions } from './token-request.ts'

/** A token in exchange for a JWT of somebody whom the server trusts (RFC 7523). */
export function grantJwtBearer(
  party: TokenParty,
  assertion: string,
  scopes: readonly string[],
  signal: AbortSignal,
): Promise<TokenEndpointResponse> {
  const { as, client, authenticate } = party
  const parameters = resourceAndScope(party, scopes)
  parameters.set('assertion', assertion)
  const options = tokenRequestOptions(party, signal)
  return requestToken(
    () => genericTokenEndpointRequest(as, client, authenticate, jwtBearer, parameters, options),
    (response) => processGenericTokenEndpointResponse(as, client, response),
  )
}

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
