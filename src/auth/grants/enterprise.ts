import { genericTokenEndpointRequest, None, processGenericTokenEndpointResponse } from 'oauth4webapi'
import type { AuthOptions, EnterpriseGrant } from '../auth-options.ts'
import { findServerMetadata } from '../discovery/server-metadata.ts'
import { explainFailure } from '../explain-failure.ts'
import { requestOptions } from '../fetch/request-options.ts'
import { refusal } from '../refusal.ts'
import { clientAuthentication } from '../registration/client-authentication.ts'
import { tokenFrom } from './assertion.ts'
import { resourceAndScope, type TokenParty } from './token-request.ts'

/**
 * Trades a person's sign-in at the identity provider for an assertion that the server's own authorization server takes: the first half
 * of enterprise-managed authorization; the other is the JWT bearer grant.
 */
export async function grantAssertion(
  { idp, subjectToken, subjectTokenType = idToken }: EnterpriseGrant,
  party: TokenParty,
  scopes: readonly string[],
  signal: AbortSignal,
  limits: Pick<AuthOptions, 'signInTimeoutMs'>,
): Promise<string> {
  const { fetch, as } = party
  const provider = idp.tokenEndpoint
    ? { issuer: idp.issuer, token_endpoint: idp.tokenEndpoint }
    : await findServerMetadata(idp.issuer, fetch, signal)
  const client = { client_id: idp.clientId }
  const authenticate = idp.clientSecret
    ? await clientAuthentication({}, { ...client, client_secret: idp.clientSecret }, provider)
    : None()
  const parameters = resourceAndScope(party, scopes)
  parameters.set('requested_token_type', idJag)
  parameters.set('audience', as.issuer)
  const asking = { option: 'grant.subjectToken', audience: idp.issuer } as const
  parameters.set('subject_token', await tokenFrom(subjectToken, asking, limits))
  parameters.set('subject_token_type', subjectTokenType)
  const options = requestOptions(fetch, signal)
  try {
    const response = await genericTokenEndpointRequest(
      provider,
      client,
      authenticate,
      tokenExchange,
      parameters,
      options,
    )
    const given = await processGenericTokenEndpointResponse(provider, client, response, {
      // What it gives is no access token.
      recognizedTokenTypes: { n_a: () => {} },
    })
    if (given.issued_token_type === idJag) return given.access_token
  } catch (error) {
    throw explainFailure(error, `${idp.issuer} vouching for the sign-in at ${as.issuer}`)
  }
  throw refusal(`${idp.issuer} gave something else than an assertion for ${as.issuer}`)
}

const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
const idJag = 'urn:ietf:params:oauth:token-type:id-jag'
const idToken = 'urn:ietf:params:oauth:token-type:id_token'
