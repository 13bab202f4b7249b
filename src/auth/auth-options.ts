import type { TokenStore } from './store/token-store.ts'

/**
 * Takes a person to `url`, where they sign in and consent, and resolves with the whole URL they were sent back to: `redirectUri` with a
 * query. `signal` aborts when nobody waits for it any more. Rejecting ends the sign-in with that reason.
 */
export type OnRedirect = (url: URL, context: { readonly signal: AbortSignal }) => Promise<URL | string>

/** What an authorization server is told of this client when it registers by itself (RFC 7591), member by member over the defaults. */
export interface ClientMetadata {
  /** Shown to people; default `mcp-troupe`. */
  readonly client_name?: string
  readonly client_uri?: string
  readonly logo_uri?: string
  readonly contacts?: readonly string[]
  readonly software_id?: string
  readonly software_version?: string
  /** Default `native` where `redirectUri` is on this machine or has a scheme of its own, else `web`. */
  readonly application_type?: 'native' | 'web'
  /** Default the first of `none`, `client_secret_basic`, `client_secret_post` that the server offers. */
  readonly token_endpoint_auth_method?: ClientAuthenticationMethod
}

export type ClientAuthenticationMethod =
  | 'none'
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'private_key_jwt'

/** How a token is come by. */
export type AuthGrant =
  /** A person signs in: needs `redirectUri` and `onRedirect`. The default. */
  | { readonly type: 'authorization_code' }
  /** The program itself is the user: needs `clientId` and one of `clientSecret`, `privateKey`, `clientAssertion`. */
  | { readonly type: 'client_credentials' }
  /** Workload identity: a token that the platform gave the program is traded in. Asked for each time one is needed. */
  | { readonly type: 'jwt_bearer'; readonly assertion: string | AssertionSource }
  /** A person's sign-in at the company's identity provider is traded in: nobody is asked per server. */
  | EnterpriseGrant

/** Gives a token for whom it must be meant (`audience`: an issuer). */
export type AssertionSource = (about: { readonly audience: string }) => string | Promise<string>

export interface EnterpriseGrant {
  readonly type: 'enterprise'
  readonly idp: {
    /** Of the identity provider; its metadata names the token endpoint. */
    readonly issuer: string
    /** Where there is no metadata to be had. */
    readonly tokenEndpoint?: string
    /** This client as the identity provider knows it. */
    readonly clientId: string
    readonly clientSecret?: string
  }
  /** What the person's sign-in there gave. */
  readonly subjectToken: string | AssertionSource
  /** Default `urn:ietf:params:oauth:token-type:id_token`. */
  readonly subjectTokenType?: string
}

/** A private key that proves who the client is: PEM (PKCS#8) or JWK. */
export interface ClientKey {
  readonly key: string | { readonly [member: string]: unknown }
  /** Default `ES256`, or what a JWK says. */
  readonly alg?: string
  /** Default what a JWK says. */
  readonly kid?: string
}

/**
 * How to get through where a server on a URL wants to know who asks. Connections that are given the very same object, or the same
 * `store`, share one sign-in for each server and client, and refresh each token once. Tokens go to the origin of the server alone, and
 * show up in no error, log or inspector.
 */
export interface AuthOptions {
  /** Default: a person signs in. */
  readonly grant?: AuthGrant
  /** Where a sign-in comes back to: `http://127.0.0.1:port/…`, `https://…`, or a scheme of the application's own. */
  readonly redirectUri?: string
  readonly onRedirect?: OnRedirect
  /** How long a person may take, and each function here that gives a token or an assertion; ms, default 300 000; 0: for ever. */
  readonly signInTimeoutMs?: number
  /** The client as it was registered by hand. Default: a metadata document, else it registers by itself where the server lets it. */
  readonly clientId?: string
  readonly clientSecret?: string
  /** Instead of a secret; `private_key_jwt`. */
  readonly privateKey?: ClientKey
  /** Instead of a secret: a JWT made elsewhere, asked for each time. */
  readonly clientAssertion?: AssertionSource
  /**
   * Whose client `clientId` is: any other authorization server is refused. Default: the first that the server names, for each server,
   * and from then on no other, as long as `store` remembers it; set it where a secret or an assertion goes along, which is shown to
   * whomever that is.
   */
  readonly issuer?: string
  /**
   * An https URL that serves this client's metadata, used as its id where the server understands that: the same id for all of them. From
   * one that does not name itself in redirects (`iss`, RFC 9207), a hostile other one may get a code for it; `issuer` rules that one out.
   */
  readonly clientMetadataUrl?: string
  /** For a client that registers by itself. */
  readonly clientMetadata?: ClientMetadata
  /** Asked for besides what the server's challenge names. Default: that, else all that it publishes. */
  readonly scopes?: readonly string[]
  /** Where sign-ins are kept, one store a person. Default: with this object, in memory. */
  readonly store?: TokenStore
  /** Tokens that only this process can use (RFC 9449). Default: where the server demands it. */
  readonly dpop?: boolean
  /** Whether authorization servers may stand in a private network. Default false; on this machine where the server does, too. */
  readonly allowPrivateNetwork?: boolean
  /** Signs in to servers of 2025-03-26, which publish nothing about themselves: whether they know PKCE cannot be told. Default false. */
  readonly allowMissingMetadata?: boolean
}

/** With its default. */
export function grantOf({ grant = { type: 'authorization_code' } }: AuthOptions): AuthGrant {
  return grant
}

/** With its default. */
export function signInTimeoutOf({ signInTimeoutMs = 300_000 }: Pick<AuthOptions, 'signInTimeoutMs'>): number {
  return signInTimeoutMs
}
