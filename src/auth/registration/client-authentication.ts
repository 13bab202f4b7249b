import { type CryptoKey, importJWK, importPKCS8, type JWK } from 'jose'
import {
  type AuthorizationServer,
  type ClientAuth,
  ClientSecretPost,
  None,
  PrivateKeyJwt,
} from 'oauth4webapi'
import { ConfigError } from '../../errors.ts'
import type { AssertionSource, AuthOptions, ClientKey } from '../auth-options.ts'
import { textsIn } from '../discovery/texts-in.ts'
import { tokenFrom } from '../grants/assertion.ts'
import type { RegisteredClient } from './registered-client.ts'

/** How a client proves at a token endpoint who it is: as it was registered, else in the first way that both know. */
export async function clientAuthentication(
  auth: Pick<AuthOptions, 'clientAssertion' | 'privateKey' | 'signInTimeoutMs'>,
  { client_secret: secret, token_endpoint_auth_method: method }: RegisteredClient,
  as: AuthorizationServer,
): Promise<ClientAuth> {
  const { clientAssertion, privateKey } = auth
  if (clientAssertion) return assertedElsewhere(clientAssertion, auth)
  if (privateKey) return signedHere(privateKey)
  if (secret === undefined) return None()
  switch (method ?? secretMethod(textsIn(as.token_endpoint_auth_methods_supported))) {
    case 'none':
      return None()
    case 'client_secret_post':
      return ClientSecretPost(secret)
    default:
      return basic(secret)
  }
}

/** RFC 8414: a server that names no method knows `client_secret_basic`. */
function secretMethod(supported: readonly string[]): string {
  const known = ['client_secret_basic', 'client_secret_post', 'none']
  return known.find((method) => supported.includes(method)) ?? 'client_secret_basic'
}

/** As a form encodes it, but no more than that: many servers forget to decode, and ids are full of hyphens. */
function basic(secret: string): ClientAuth {
  return (_, { client_id: id }, _body, headers) => {
    const credentials = Buffer.from(`${formEncoded(id)}:${formEncoded(secret)}`).toString('base64')
    headers.set('authorization', `Basic ${credentials}`)
  }
}

function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}

function assertedElsewhere(
  source: AssertionSource,
  limits: Pick<AuthOptions, 'signInTimeoutMs'>,
): ClientAuth {
  return async (as, client, body) => {
    const asking = { option: 'clientAssertion', audience: as.issuer } as const
    body.set('client_id', client.client_id)
    body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
    body.set('client_assertion', await tokenFrom(source, asking, limits))
  }
}

async function signedHere({ key, alg, kid }: ClientKey): Promise<ClientAuth> {
  try {
    if (typeof key === 'string') return PrivateKeyJwt({ key: await importPKCS8(key, alg ?? 'ES256'), kid })
    const jwk = key as JWK
    const imported = await importJWK(jwk, alg ?? jwk.alg ?? 'ES256')
    return PrivateKeyJwt({ key: imported as CryptoKey, kid: kid ?? jwk.kid })
  } catch {
    // What a library says about a key may quote it.
    const reason = 'cannot be read: it must be a PKCS#8 PEM or a JWK, and fit alg'
    throw new ConfigError({ path: ['auth', 'privateKey'], reason })
  }
}
