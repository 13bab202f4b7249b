import * as oauth from 'oauth4webapi'
import { describe, expect, it, onTestFinished } from 'vitest'
import { interactiveSignIn } from '../../../src/auth/sign-in/interactive-sign-in.ts'
import { browserForTests } from '../../inspector/browser.ts'
import { deferred } from '../../model/deferred.ts'
import { signInAt, startIssuer } from '../issuer.ts'

const browser = browserForTests()
const resource = 'http://127.0.0.1:9/mcp'
const insecure = { [oauth.allowInsecureRequests]: true }

describe('a browser', () => {
  it.each([
    ['granted', 'Access granted'],
    ['refused', 'Access refused'],
  ] as const)('signs in at an authorization server; consent is %s', async (consent, title) => {
    const { url } = await startIssuer()
    const visited = deferred<URL>()
    const signIn = await interactiveSignIn({
      onUrl: visited.resolve,
      openUrl: false,
      appName: 'notes & more',
    })
    onTestFinished(() => signIn.close())
    const { issuer, client, start, verifier } = await registered(url, signIn.redirectUri)
    const arriving = signIn.onRedirect(start, { signal: AbortSignal.timeout(60_000) })
    const page = await browser.visit((await visited.promise).href)
    await signInAt(page, consent)
    await page.getByRole('heading', { name: title }).waitFor()
    await page.getByText('notes & more').waitFor()
    const answer = new URL(await arriving)
    if (consent === 'refused')
      return expect(() => oauth.validateAuthResponse(issuer, client, answer, 'state-1')).toThrow(
        oauth.AuthorizationResponseError,
      )
    const parameters = oauth.validateAuthResponse(issuer, client, answer, 'state-1')
    const exchange = await oauth.authorizationCodeGrantRequest(
      issuer,
      client,
      oauth.None(),
      parameters,
      signIn.redirectUri,
      verifier,
      { ...insecure, additionalParameters: { resource } },
    )
    const tokens = await oauth.processAuthorizationCodeResponse(issuer, client, exchange)
    expect(tokens).toMatchObject({ token_type: 'bearer', refresh_token: expect.any(String) })
  })
})

/** A client that has registered itself there, and the page it sends people to. */
async function registered(url: string, redirectUri: string) {
  const base = new URL(url)
  const found = await oauth.discoveryRequest(base, { ...insecure, algorithm: 'oidc' })
  const issuer = await oauth.processDiscoveryResponse(base, found)
  const metadata = {
    application_type: 'native',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
  }
  const registration = await oauth.dynamicClientRegistrationRequest(issuer, metadata, insecure)
  const client = await oauth.processDynamicClientRegistrationResponse(registration)
  const verifier = oauth.generateRandomCodeVerifier()
  const start = new URL(issuer.authorization_endpoint ?? '')
  start.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'notes:read',
    resource,
    state: 'state-1',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  return { issuer, client, start, verifier }
}
