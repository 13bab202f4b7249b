import { isObject } from '../../../protocol/json-rpc.ts'
import type { HttpRequest } from '../wire.ts'
import type { Authorization } from './authorization.ts'
import { isScope } from './scopes.ts'

/** Whose a request is, and what it may do. */
export interface Identity {
  readonly principal: string
  readonly scopes: readonly string[]
  /** Ms since 1970; streams last no longer. */
  readonly expiresAt: number
}

/** What a request's token says, or in which words of RFC 6750 it is refused; in none when it brought no token. */
export type Identification =
  | { readonly kind: 'identified'; readonly identity: Identity }
  | { readonly kind: 'unknown'; readonly error: 'invalid_token' | undefined }
  | { readonly kind: 'malformed' }

/** @throws what `verify` throws, and a TypeError for what it may not answer */
export async function identify(
  request: HttpRequest,
  verify: Authorization['verify'],
): Promise<Identification> {
  const [, scheme = '', token = ''] = /^(\S*) *(.*)$/.exec(request.header('authorization') ?? '') ?? []
  if (scheme.toLowerCase() !== 'bearer') return { kind: 'unknown', error: undefined }
  if (!/^[\w.~+/-]+=*$/.test(token)) return { kind: 'malformed' }
  const identity = readVerified(await verify(token))
  return identity ? { kind: 'identified', identity } : { kind: 'unknown', error: 'invalid_token' }
}

/** Undefined for a token that is not good, or no longer. */
function readVerified(answer: unknown): Identity | undefined {
  if (answer === undefined) return undefined
  const verified = isObject(answer) ? answer : { principal: answer }
  const { principal, scopes = [], expiresAt = Number.POSITIVE_INFINITY } = verified
  const isName = typeof principal === 'string' && principal !== ''
  if (!isName || !Array.isArray(scopes) || !scopes.every(isScope) || typeof expiresAt !== 'number')
    throw new TypeError('verify answered with nothing that it may answer')
  return expiresAt > Date.now() ? { principal, scopes, expiresAt } : undefined
}
