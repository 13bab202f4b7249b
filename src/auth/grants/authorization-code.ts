import {
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
  processAuthorizationCodeResponse,
  processPushedAuthorizationResponse,
  pushedAuthorizationRequest,
  type TokenEndpointResponse,
  validateAuthResponse,
} from 'oauth4webapi'
import { leadsToLoopback } from '../../loopback.ts'
import type { OnRedirect } from '../auth-options.ts'
import { textsIn } from '../discovery/texts-in.ts'
import { explainFailure } from '../explain-failure.ts'
import { checkTarget, type TargetRules } from '../fetch/check-target.ts'
import { refusal } from '../refusal.ts'
import { offlineAccess, withOfflineAccess } from '../scopes.ts'
import { requestToken, resourceAndScope, type TokenParty, tokenRequestOptions } from './token-request.ts'

/** A person consented: the code, and what it can be redeemed with. */
export interface Consent {
  readonly parameters: URLSearchParams
  readonly verifier: string
  readonly redirectUri: string
}

/** Somebody who can be sent to sign in, and whereto. */
export interface Person {
  readonly redirectUri: string
  readonly onRedirect: OnRedirect
  readonly rules: TargetRules
}

/**
 * Sends a person to consent and takes them back. Who was asked, with which state and verifier, is settled before they leave, and checked
 * before anything of what they bring is used.
 * @throws AuthorizationError
 */
export async function askForConsent(
  party: TokenParty,
  { redirectUri, onRedirect, rules }: Person,
  scopes: readonly string[],
  signal: AbortSignal,
): Promise<Consent> {
  const { as, client } = party
  if (!textsIn(as.code_challenge_methods_supported).includes('S256'))
    throw refusal(
      `${as.issuer} does not say that it knows PKCE with S256: a code from it could be stolen on its way`,
    )
  const verifier = generateRandomCodeVerifier()
  const state = generateRandomState()
  const url = await authorizationUrl(party, { redirectUri, rules, verifier, state, scopes, signal })
  const back = await broughtBack(onRedirect, url, signal)
  if (!isRedirect(back, redirectUri))
    throw refusal(`the sign-in came back to ${back.origin}${back.pathname}, which is not redirectUri`)
  try {
    return { parameters: validateAuthResponse(as, client, back, state), verifier, redirectUri }
  } catch (error) {
    throw explainFailure(error, `the sign-in at ${as.issuer}`)
  }
}

/** Trades the code for tokens. */
export function redeem(
  party: TokenParty,
  { parameters, verifier, redirectUri }: Consent,
  signal: AbortSignal,
): Promise<TokenEndpointResponse> {
  const { as, client, authenticate, resource } = party
  const options = { ...tokenRequestOptions(party, signal), additionalParameters: { resource } }
  return requestToken(
    () => authorizationCodeGrantRequest(as, client, authenticate, parameters, redirectUri, verifier, options),
    (response) => processAuthorizationCodeResponse(as, client, response),
  )
}

interface AuthorizationRequest {
  readonly redirectUri: string
  readonly rules: TargetRules
  readonly verifier: string
  readonly state: string
  readonly scopes: readonly string[]
  readonly signal: AbortSignal
}

async function authorizationUrl(party: TokenParty, request: AuthorizationRequest): Promise<URL> {
  const { as, client, dpop } = party
  const url = endpointForPeople(as.authorization_endpoint, as.issuer, request.rules)
  const wanted = withOfflineAccess(request.scopes, textsIn(as.scopes_supported))
  const parameters = resourceAndScope(party, wanted)
  parameters.set('response_type', 'code')
  parameters.set('client_id', client.client_id)
  parameters.set('redirect_uri', request.redirectUri)
  parameters.set('state', request.state)
  parameters.set('code_challenge', await calculatePKCECodeChallenge(request.verifier))
  parameters.set('code_challenge_method', 'S256')
  // OpenID Connect gives it only to those who were asked.
  if (wanted.includes(offlineAccess)) parameters.set('prompt', 'consent')
  if (dpop) parameters.set('dpop_jkt', await dpop.handle.calculateThumbprint())
  const sent =
    as.require_pushed_authorization_requests === true
      ? await pushed(party, parameters, request.signal)
      : parameters
  for (const [name, value] of sent) url.searchParams.set(name, value)
  return url
}

/** RFC 9126: what is asked goes ahead, and the person carries a reference to it. */
async function pushed(
  party: TokenParty,
  parameters: URLSearchParams,
  signal: AbortSignal,
): Promise<URLSearchParams> {
  const { as, client, authenticate, fetch } = party
  const options = tokenRequestOptions({ ...party, fetch, dpop: undefined }, signal)
  const response = await pushedAuthorizationRequest(as, client, authenticate, parameters, options)
  const { request_uri } = await processPushedAuthorizationResponse(as, client, response)
  return new URLSearchParams({ client_id: client.client_id, request_uri })
}

/** A browser opens it, which would go to this machine and its network as readily as we would. */
function endpointForPeople(endpoint: unknown, issuer: string, rules: TargetRules): URL {
  const url = typeof endpoint === 'string' && URL.canParse(endpoint) ? new URL(endpoint) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && leadsToLoopback(url.hostname))
  if (!url || !isSafe) throw refusal(`${issuer} names no https page to sign in at`)
  return checkTarget(url, rules)
}

async function broughtBack(onRedirect: OnRedirect, url: URL, signal: AbortSignal): Promise<URL> {
  const answer: unknown = await raced(onRedirect(url, { signal }), signal)
  const text = String(answer)
  if (URL.canParse(text)) return new URL(text)
  throw refusal('what came back from the sign-in is no URL')
}

/** A hook need not mind its signal. */
function raced<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

function isRedirect(back: URL, redirectUri: string): boolean {
  const { protocol, host, pathname } = new URL(redirectUri)
  return back.protocol === protocol && back.host === host && back.pathname === pathname
}
