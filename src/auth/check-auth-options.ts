import {
  badOption,
  type Check,
  checkOptions,
  flag,
  hook,
  milliseconds,
  object,
  text,
  texts,
} from '../check-options.ts'
import { leadsToLoopback } from '../loopback.ts'
import { isObject } from '../protocol/json-rpc.ts'
import type { AuthGrant, AuthOptions } from './auth-options.ts'
import { redirectComplaint } from './redirect-uri.ts'

/** Refuses what is unknown, of a wrong type, or cannot lead to a token for that server. @throws ConfigError that repeats no secret */
export function checkAuthOptions(auth: unknown, url: string | undefined): void {
  // A complaint about a value shows it.
  const isSecretBad =
    isObject(auth) && auth.clientSecret !== undefined && text(auth.clientSecret) !== undefined
  if (isSecretBad) throw bad('clientSecret', 'must be a non-empty string')
  checkOptions(auth, checks, path)
  const options = auth as AuthOptions
  const { grant, clientId, clientSecret, privateKey, clientAssertion, clientMetadataUrl } = options
  const proofs = [clientSecret, privateKey, clientAssertion].filter((proof) => proof !== undefined)
  if (proofs.length > 1)
    throw bad(
      'clientSecret',
      'stands beside another proof; a client has one of clientSecret, privateKey, clientAssertion',
    )
  if (proofs.length > 0 && clientId === undefined)
    throw bad('clientId', 'is missing: whose secret or key that is')
  if (clientMetadataUrl !== undefined && clientId !== undefined)
    throw bad('clientMetadataUrl', 'stands beside clientId; a client has one of them')
  if (options.onRedirect && options.redirectUri === undefined)
    throw bad('redirectUri', 'is missing: where sign-ins come back to')
  checkGrant(grant, options)
  checkServer(url, options)
}

function checkGrant(
  grant: AuthGrant | undefined,
  { clientId, clientSecret, privateKey, clientAssertion }: AuthOptions,
): void {
  if (grant === undefined || grant.type === 'authorization_code') return
  if (clientId === undefined)
    throw bad('clientId', `is missing: ${grant.type} is for a client that is registered`)
  if (grant.type === 'client_credentials' && !clientSecret && !privateKey && !clientAssertion)
    throw bad('clientSecret', 'is missing; or privateKey, or clientAssertion')
}

/** Whoever is on the way of plain HTTP reads every token. */
function checkServer(url: string | undefined, { allowPrivateNetwork }: AuthOptions): void {
  if (url === undefined) return
  const { protocol, hostname } = new URL(url)
  if (protocol === 'unix:') throw badOption('auth', 'is for servers on http and https, not on a socket')
  if (protocol === 'http:' && !leadsToLoopback(hostname) && allowPrivateNetwork !== true)
    throw badOption(
      'auth',
      'would send tokens in the clear; use https, or set auth.allowPrivateNetwork where the network is yours',
    )
}

function bad(option: string, reason: string) {
  return badOption(option, reason, path)
}

const path = ['auth']

const checks: { readonly [option in keyof Required<AuthOptions>]: Check } = {
  grant: grantComplaint,
  redirectUri: redirectComplaint,
  onRedirect: hook,
  signInTimeoutMs: milliseconds,
  clientId: text,
  clientSecret: text,
  privateKey: keyComplaint,
  clientAssertion: hook,
  issuer: httpUrl,
  clientMetadataUrl: metadataUrlComplaint,
  clientMetadata: object,
  scopes: scopesComplaint,
  store: storeComplaint,
  dpop: flag,
  allowPrivateNetwork: flag,
  allowMissingMetadata: flag,
}

function grantComplaint(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be an object with a type'
  switch (value.type) {
    case 'authorization_code':
    case 'client_credentials':
      return undefined
    case 'jwt_bearer':
      return isToken(value.assertion) ? undefined : 'needs an assertion: a JWT, or a function that gives one'
    case 'enterprise':
      return enterpriseComplaint(value)
    default:
      return `must have one of the types ${types.join(', ')}`
  }
}

const types = ['authorization_code', 'client_credentials', 'jwt_bearer', 'enterprise']

function enterpriseComplaint({
  idp,
  subjectToken,
}: {
  readonly [member: string]: unknown
}): string | undefined {
  if (!isObject(idp) || text(idp.clientId) || httpUrl(idp.issuer))
    return 'needs an idp with issuer and clientId'
  if (idp.tokenEndpoint !== undefined && httpUrl(idp.tokenEndpoint))
    return 'has a tokenEndpoint that is no URL'
  return isToken(subjectToken) ? undefined : 'needs a subjectToken: a token, or a function that gives one'
}

function isToken(value: unknown): boolean {
  return typeof value === 'function' || text(value) === undefined
}

/** An object, so that no message shows it. */
function keyComplaint(value: unknown): string | undefined {
  const isKey = isObject(value) && (isObject(value.key) || text(value.key) === undefined)
  return isKey ? undefined : 'must be { key, alg?, kid? }, the key as PEM or JWK'
}

function httpUrl(value: unknown): string | undefined {
  const isUrl = typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
  return isUrl ? undefined : 'must be a URL'
}

function metadataUrlComplaint(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return 'must be a URL'
  const { protocol, pathname } = new URL(value)
  return protocol === 'https:' && pathname !== '/' ? undefined : 'must be an https URL with a path'
}

function scopesComplaint(value: unknown): string | undefined {
  const isList =
    texts(value) === undefined &&
    (value as string[]).every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
  return isList ? undefined : 'must be an array of scopes, one a string'
}

function storeComplaint(value: unknown): string | undefined {
  const isStore =
    isObject(value) &&
    ['read', 'write', 'remove', 'keys', 'locked'].every((name) => typeof value[name] === 'function')
  return isStore ? undefined : 'must be a TokenStore'
}
