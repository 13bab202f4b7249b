import {
  customFetch,
  protectedResourceRequest,
  type WWWAuthenticateChallenge,
  type WWWAuthenticateChallengeError,
} from 'oauth4webapi'
import type { Challenge } from '../../machines/authorization-facts.ts'
import { scopesIn } from './scopes.ts'

/** What a `WWW-Authenticate` header asks of a client that knows Bearer and DPoP; what is malformed asks nothing. */
export async function readChallenge(header: string | undefined, wasAccepted: boolean): Promise<Challenge> {
  const challenges = header === undefined ? [] : await parse(header)
  const ours = challenges.filter(({ scheme }) => scheme === 'bearer' || scheme === 'dpop')
  const said = (name: string) =>
    ours
      .map(({ parameters }) => (parameters as { readonly [name: string]: string | undefined })[name])
      .find((value) => value !== undefined)
  return {
    resourceMetadata: said('resource_metadata'),
    scopes: scopesIn(said('scope')),
    wantsDpop: ours.length > 0 && ours.every(({ scheme }) => scheme === 'dpop'),
    wasAccepted,
  }
}

/** The library reads it off a response; this one has come already. */
async function parse(header: string): Promise<readonly WWWAuthenticateChallenge[]> {
  try {
    const response = new Response(null, { status: 401, headers: { 'www-authenticate': header } })
    const came = { [customFetch]: async () => response }
    await protectedResourceRequest('none', 'GET', nowhere, undefined, undefined, came)
    return []
  } catch (error) {
    const { cause } = error as WWWAuthenticateChallengeError
    return Array.isArray(cause) ? cause : []
  }
}

const nowhere = new URL('https://nowhere.invalid')
