import { type CryptoKey, exportJWK, importJWK, type JWK } from 'jose'
import {
  type AuthorizationServer,
  allowInsecureRequests,
  type CryptoKeyPair,
  customFetch,
  DPoP,
  type DPoPHandle,
  generateKeyPair,
  modifyAssertion,
  protectedResourceRequest,
} from 'oauth4webapi'
import { refusal } from '../refusal.ts'

/** A key that tokens are bound to (RFC 9449), and the nonces that both sides want to see in its proofs. */
export class DpopKey {
  readonly handle: DPoPHandle
  readonly #keys: CryptoKeyPair
  /** The server's. The authorization server's is the library's business. */
  #nonce: string | undefined

  private constructor(keys: CryptoKeyPair) {
    this.#keys = keys
    this.handle = DPoP({}, keys, {
      [modifyAssertion]: (_, payload) => {
        if (payload.ath !== undefined && this.#nonce !== undefined) payload.nonce = this.#nonce
      },
    })
  }

  /** @throws AuthorizationError when the server knows no algorithm of ours. */
  static async generate(as: AuthorizationServer): Promise<DpopKey> {
    const known: unknown = as.dpop_signing_alg_values_supported
    const alg = Array.isArray(known) ? algorithms.find((name) => known.includes(name)) : algorithms[0]
    if (alg === undefined) throw refusal(`${as.issuer} binds tokens to keys of no kind that is known here`)
    return new DpopKey(await generateKeyPair(alg, { extractable: true }))
  }

  static async restore(key: JWK): Promise<DpopKey> {
    const { d, p, q, dp, dq, qi, ...open } = key
    const [privateKey, publicKey] = await Promise.all([
      importJWK(key, key.alg, { extractable: true }),
      importJWK(open, key.alg, { extractable: true }),
    ])
    return new DpopKey({ privateKey: privateKey as CryptoKey, publicKey: publicKey as CryptoKey })
  }

  async export(): Promise<JWK> {
    const { privateKey } = this.#keys
    return { ...(await exportJWK(privateKey)), alg: algorithmOf(privateKey) }
  }

  /** The headers of one request to the server, and of no other. */
  async headersFor(
    accessToken: string,
    { method, url, nonce }: { readonly method: string; readonly url: string; readonly nonce?: string },
  ): Promise<{ readonly [name: string]: string }> {
    this.#nonce = nonce ?? this.#nonce
    let shown: { readonly [name: string]: string } = {}
    // The transport sends the request; the library only says what belongs on it.
    const note = async (
      _: string,
      { headers }: { readonly headers: { readonly [name: string]: string } },
    ) => {
      shown = headers
      return new Response(null, { status: 204 })
    }
    const options = { DPoP: this.handle, [customFetch]: note, [allowInsecureRequests]: true }
    await protectedResourceRequest(accessToken, method, new URL(url), undefined, undefined, options)
    const { authorization = '', dpop = '' } = shown
    return { authorization, dpop }
  }
}

const algorithms = ['ES256', 'Ed25519', 'PS256', 'RS256']

function algorithmOf({ algorithm }: CryptoKey): string {
  const names: { readonly [name: string]: string } = {
    ECDSA: 'ES256',
    Ed25519: 'Ed25519',
    'RSA-PSS': 'PS256',
    'RSASSA-PKCS1-v1_5': 'RS256',
  }
  return names[algorithm.name] ?? 'ES256'
}
