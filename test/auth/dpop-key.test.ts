import { createHash } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { DpopKey } from '../../src/auth/tokens/dpop-key.ts'

const request = { method: 'POST', url: 'https://notes.example/mcp?page=2' }

describe.each(['ES256', 'Ed25519', 'PS256', 'RS256'])('a key for %s', (alg) => {
  const generated = () =>
    DpopKey.generate({ issuer: 'https://issuer.example', dpop_signing_alg_values_supported: [alg] })

  it('proves each request anew, for that token and that place', async () => {
    const key = await generated()
    const [one, two] = [await key.headersFor('abc', request), await key.headersFor('abc', request)]
    expect(one.authorization).toBe('DPoP abc')
    const { jwk, typ } = decodeProtectedHeader(one.dpop ?? '')
    expect([typ, jwk && 'd' in jwk]).toEqual(['dpop+jwt', false])
    const { payload } = await jwtVerify(one.dpop ?? '', await importJWK(jwk ?? {}, alg))
    const ath = createHash('sha256').update('abc').digest('base64url')
    expect(payload).toMatchObject({ htm: 'POST', htu: 'https://notes.example/mcp', ath })
    expect(decodeJwt(two.dpop ?? '').jti).not.toBe(payload.jti)
  })

  it('is the same one after it was stored', async () => {
    const key = await generated()
    const again = await DpopKey.restore(JSON.parse(JSON.stringify(await key.export())))
    expect(await again.handle.calculateThumbprint()).toBe(await key.handle.calculateThumbprint())
    const { dpop = '' } = await again.headersFor('abc', request)
    await jwtVerify(dpop, await importJWK(decodeProtectedHeader(dpop).jwk ?? {}, alg))
  })
})

it('the nonce that a server wants is in every proof from then on', async () => {
  const key = await DpopKey.generate({ issuer: 'https://issuer.example' })
  const nonceOf = async (nonce?: string) => {
    const { dpop = '' } = await key.headersFor('abc', { ...request, ...(nonce !== undefined && { nonce }) })
    return decodeJwt(dpop).nonce
  }
  expect([await nonceOf(), await nonceOf('n1'), await nonceOf(), await nonceOf('n2')]).toEqual([
    undefined,
    'n1',
    'n1',
    'n2',
  ])
})

it('an issuer that binds tokens to nothing known is refused', async () => {
  const generating = DpopKey.generate({
    issuer: 'https://issuer.example',
    dpop_signing_alg_values_supported: ['HS256'],
  })
  await expect(generating).rejects.toThrow(/binds tokens to keys of no kind that is known here/)
})
