import {
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  type TokenEndpointResponse,
} from 'oauth4webapi'
import { requestToken, type TokenParty, tokenRequestOptions } from './token-request.ts'

/** A fresh token of the same sign-in. */
export function grantRefresh(
  party: TokenParty,
  refreshToken: string,
  signal: AbortSignal,
): Promise<TokenEndpointResponse> {
  const { as, client, authenticate, resource } = party
  const options = { ...tokenRequestOptions(party, signal), additionalParameters: { resource } }
  return requestToken(
    () => refreshTokenGrantRequest(as, client, authenticate, refreshToken, options),
    (response) => processRefreshTokenResponse(as, client, response),
  )
}
