import type { HttpRequest } from './wire.ts'

/** Who may ask, by bearer token. */
export interface Authorization {
  /** Names whom a token is of, or undefined for a token that is not good here: also one that was issued for somebody else's server. */
  readonly verify: (token: string) => string | undefined | Promise<string | undefined>
  /** Where this resource's metadata is (RFC 9728): clients without a good token are told. */
  readonly resourceMetadataUrl?: string
}

/** The request of somebody who is known, or what a client without a good token is answered in `WWW-Authenticate`. */
export async function authorize(
  request: HttpRequest,
  { verify, resourceMetadataUrl }: Authorization,
): Promise<{ readonly request: HttpRequest } | { readonly challenge: string }> {
  const [, token] = /^Bearer +([\w.~+/=-]+)$/i.exec(request.header('authorization') ?? '') ?? []
  const principal = token === undefined ? undefined : await verify(token)
  if (principal !== undefined) {
    const { verb } = request
    return {
      request: {
        verb,
        principal,
        header: (name) => request.header(name),
        body: (most) => request.body(most),
      },
    }
  }
  const parameters = [
    ...(token === undefined ? [] : ['error="invalid_token"']),
    ...(resourceMetadataUrl === undefined ? [] : [`resource_metadata="${resourceMetadataUrl}"`]),
  ]
  return { challenge: ['Bearer', parameters.join(', ')].join(' ').trim() }
}
