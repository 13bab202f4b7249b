import { type ErrorData, toErrorData } from '../src/error-data.ts'
import { AuthorizationError } from '../src/errors.ts'

/** What the machine needs to know to decide. */
export interface AuthorizationInput {
  /** Whether a person has to consent; else the client gets tokens by itself. */
  readonly needsPerson: boolean
  /** Scopes that are asked for whatever the server says. */
  readonly ownScopes: readonly string[]
}

/** A refusal of the server's, as far as it says what is missing. */
export interface Challenge {
  /** Where it describes itself. */
  readonly resourceMetadata: string | undefined
  readonly scopes: readonly string[]
  /** Whether it wants tokens that are bound to a key. */
  readonly wantsDpop: boolean
  /** Whether it had taken the token that it refuses. */
  readonly wasAccepted: boolean
}

/** A token, but for itself. */
export interface TokenFacts {
  /** Where it comes from: an earlier process or another one, a sign-in of ours, a refresh of ours. */
  readonly origin: 'stored' | 'issued' | 'refreshed'
  readonly canRefresh: boolean
  readonly scopes: readonly string[]
  /** Since the epoch; undefined when the authorization server did not say. */
  readonly expiresAtMs: number | undefined
}

/** A sign-in that an earlier process left. */
export interface Restored extends Pick<Discovered, 'issuer' | 'resource'> {
  readonly token: TokenFacts
}

/** Who issues tokens for the server. */
export interface Discovered {
  readonly issuer: string
  readonly resource: string
  /** All that the server knows. */
  readonly publishedScopes: readonly string[]
  /** Whether there is a sign-in at that issuer which only needs a fresh token. */
  readonly canRefresh: boolean
}

/** What came of a refresh. The authorization server refused it: the sign-in is over. */
export type Refreshed = { readonly kind: 'token'; readonly token: TokenFacts } | { readonly kind: 'refused' }

export type AuthorizationEvent =
  /** A request is about to be sent. */
  | { readonly type: 'wanted' }
  /** The server refused the token there is, or asks for one (401). */
  | { readonly type: 'challenged'; readonly challenge: Challenge }
  /** The token is good, but not for that (403). */
  | { readonly type: 'insufficient'; readonly challenge: Challenge }
  /** The token is about to expire. */
  | { readonly type: 'expired' }
  /** Nobody waits any more. */
  | { readonly type: 'abandoned' }

/** Small, serialisable, safe to show. */
export interface AuthorizationContext extends AuthorizationInput {
  /** Why a token is being got. */
  readonly cause: 'challenge' | 'scope' | 'expiry' | undefined
  readonly challenge: Challenge | undefined
  readonly issuer: string | undefined
  readonly resource: string | undefined
  readonly publishedScopes: readonly string[]
  /** Of the sign-in there is. */
  readonly askedScopes: readonly string[]
  readonly token: TokenFacts | undefined
  /** Counts the tokens. */
  readonly generation: number
  /** Of the last attempt. */
  readonly failure: ErrorData | undefined
}

export function initialContext({ needsPerson, ownScopes }: AuthorizationInput): AuthorizationContext {
  return {
    needsPerson,
    ownScopes,
    cause: undefined,
    challenge: undefined,
    issuer: undefined,
    resource: undefined,
    publishedScopes: [],
    askedScopes: [],
    token: undefined,
    generation: 0,
    failure: undefined,
  }
}

/** What to ask for: what is wanted now and what was granted before, lest it be lost; else all there is. */
export function wantedScopes(context: AuthorizationContext): readonly string[] {
  const { ownScopes, askedScopes, challenge, publishedScopes } = context
  const wanted = union(ownScopes, askedScopes, challenge?.scopes ?? [])
  return wanted.length > 0 ? wanted : publishedScopes
}

export function challenged(challenge: Challenge): Partial<AuthorizationContext> {
  return { cause: 'challenge', challenge, failure: undefined }
}

export function widened(challenge: Challenge): Partial<AuthorizationContext> {
  return { cause: 'scope', challenge, failure: undefined }
}

/** Nothing of one authorization server is ever shown to another. */
export function learnt(
  context: AuthorizationContext,
  { issuer, resource, publishedScopes }: Discovered,
): Partial<AuthorizationContext> {
  const hasMoved = context.issuer !== undefined && context.issuer !== issuer
  return { issuer, resource, publishedScopes, ...(hasMoved && { token: undefined, askedScopes: [] }) }
}

export function adopted(context: AuthorizationContext, token: TokenFacts): Partial<AuthorizationContext> {
  const askedScopes =
    token.origin === 'issued' ? wantedScopes(context) : union(context.askedScopes, token.scopes)
  return { token, askedScopes, generation: context.generation + 1, failure: undefined }
}

export function restored(
  context: AuthorizationContext,
  { token, issuer, resource }: Restored,
): Partial<AuthorizationContext> {
  return { issuer, resource, ...adopted(context, token) }
}

/** A refresh gives no wider token; and one that gave a token which was never taken does not help twice. */
export function refreshIsEnough(
  { cause, challenge, token }: AuthorizationContext,
  discovered: Discovered,
): boolean {
  const didNotHelp = token?.origin === 'refreshed' && challenge?.wasAccepted === false
  return discovered.canRefresh && cause === 'challenge' && !didNotHelp
}

/** Another one would be refused as well. */
export function isRejected({ token }: AuthorizationContext, { wasAccepted }: Challenge): boolean {
  return token?.origin === 'issued' && !wasAccepted
}

/** What is missing was asked for, and is not given. */
export function asksNothingNew({ challenge, askedScopes }: AuthorizationContext): boolean {
  return (challenge?.scopes ?? []).every((scope) => askedScopes.includes(scope))
}

export function rejectedFailure({ resource, issuer }: AuthorizationContext): ErrorData {
  const reason = `${resource} refuses the token that ${issuer} has just issued for it; whoever runs them has to make them agree`
  return toErrorData(new AuthorizationError({ status: 401, reason }))
}

export function unsatisfiedFailure({ challenge, issuer }: AuthorizationContext): ErrorData {
  const scopes = challenge?.scopes.join(' ')
  const reason = scopes
    ? `the server wants the scopes ${scopes}, which ${issuer ?? 'its authorization server'} was asked for and did not grant; ask whoever runs it`
    : 'the server forbids this to whoever is signed in, and does not say which scopes it wants'
  return toErrorData(new AuthorizationError({ status: 403, reason }))
}

function union(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())]
}
