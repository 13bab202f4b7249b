import { badOption, type Check, checkOptions, hook, text } from '../../../check-options.ts'
import { isScope } from './scopes.ts'

/** What a good token says. */
export interface VerifiedToken {
  /** Whose it is. */
  readonly principal: string
  /** What it may be used for; default nothing that needs a scope. */
  readonly scopes?: readonly string[]
  /** Ms since 1970, from when on it is as good as none; streams on which its holder listens end with it. Default never. */
  readonly expiresAt?: number
}

/** Who may ask, by bearer token, and what others are told about getting one (RFC 6750, RFC 9728). */
export interface Authorization {
  /**
   * What a token is good for; undefined for one that is not good here. Whether it was issued for this server, its audience, is for
   * `verify` to check: nothing else does. A string is a principal without scopes. Throwing is a failure of this server: 500.
   */
  readonly verify: (
    token: string,
  ) => VerifiedToken | string | undefined | Promise<VerifiedToken | string | undefined>
  /**
   * Who issues the tokens. With this, metadata is served at `/.well-known/oauth-protected-resource` followed by the path of `resource`,
   * and whoever comes without a good token is told where that is.
   */
  readonly authorizationServers?: readonly string[]
  /** This server's own URL, as its clients know it and tokens name it. Default the URL of `serveHttp`, on loopback. */
  readonly resource?: string
  /** Every request needs all of these; default none. Tools may need more. */
  readonly requiredScopes?: readonly string[]
  /** All there are to ask for; default `requiredScopes`. */
  readonly scopesSupported?: readonly string[]
  /** What people are shown as the name of this server. */
  readonly resourceName?: string
  /** A page for its developers. */
  readonly resourceDocumentation?: string
  /** Where the metadata is when somebody else serves it; instead of `authorizationServers`. */
  readonly resourceMetadataUrl?: string
}

/** `hasUrl`: there is one to take as `resource` when none is given. @throws ConfigError */
export function checkAuthorization(authorization: Authorization | undefined, hasUrl: boolean): void {
  if (authorization === undefined) return
  const path = ['authorization']
  checkOptions(authorization, checks, path)
  const { verify, authorizationServers, resource, resourceMetadataUrl } = authorization
  if (verify === undefined) throw badOption('verify', 'is missing: what tells good tokens from others', path)
  if (authorizationServers === undefined) return
  if (resourceMetadataUrl !== undefined)
    throw badOption(
      'resourceMetadataUrl',
      'is for metadata that others serve: not with authorizationServers',
      path,
    )
  if (resource === undefined && !hasUrl)
    throw badOption('resource', 'is missing: the URL that clients know this server by', path)
}

const url: Check = (value) =>
  typeof value === 'string' && /^https?:\/\/[^\s"#]+$/.test(value) && URL.canParse(value)
    ? undefined
    : 'must be an absolute URL without fragment'

const scopes: Check = (value) =>
  Array.isArray(value) && value.every(isScope) ? undefined : 'must be an array of scopes'

const checks: { readonly [option in keyof Required<Authorization>]: Check } = {
  verify: hook,
  authorizationServers: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((one) => url(one) === undefined)
      ? undefined
      : 'must be a non-empty array of absolute URLs',
  resource: (value) => url(value) ?? (String(value).includes('?') ? 'must have no query' : undefined),
  requiredScopes: scopes,
  scopesSupported: scopes,
  resourceName: text,
  resourceDocumentation: url,
  resourceMetadataUrl: url,
}
