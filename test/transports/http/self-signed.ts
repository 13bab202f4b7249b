import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A certificate for that name which nobody vouches for, and its key, both as PEM. Node makes keys but no certificates. */
export function selfSigned(name: string): { readonly cert: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(Buffer.from('06082a8648ce3d040302', 'hex'))
  const commonName = sequence(set(sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(name)))))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    commonName,
    sequence(time('20200101000000Z'), time('20991231235959Z')),
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]))
  const bytes = sequence(body, algorithm, signature).toString('base64')
  const cert = `-----BEGIN CERTIFICATE-----\n${bytes.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function set(part: Buffer): Buffer {
  return der(0x31, part)
}

function time(text: string): Buffer {
  return der(0x18, Buffer.from(text))
}

/** Tag, length, value. */
function der(tag: number, value: Buffer): Buffer {
  const length = value.length
  const lengthBytes =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), value])
}
