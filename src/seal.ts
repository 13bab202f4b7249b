import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { isObject, type JsonObject } from './protocol/json-rpc.ts'

/**
 * Text that only who has the secret can write and read, wherever it is kept meanwhile: AES-256-GCM under a key made of the secret.
 * All who share a secret read each other's.
 */
export class Seal {
  readonly #key: Buffer

  /** Default secret: a random one, which ends with the process. */
  constructor(secret: string | undefined) {
    this.#key = secret === undefined ? randomBytes(32) : createHash('sha256').update(secret).digest()
  }

  seal(value: JsonObject): string {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    const text = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')
  }

  /** Undefined for anything that was not sealed here, or was changed since. */
  open(sealed: string): JsonObject | undefined {
    const bytes = Buffer.from(sealed, 'base64url')
    const isWhole = bytes.length > nonceBytes + tagBytes && bytes.toString('base64url') === sealed
    if (!isWhole) return undefined
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, nonceBytes))
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
    try {
      const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()])
      const value: unknown = JSON.parse(text.toString())
      return isObject(value) ? value : undefined
    } catch {
      return undefined
    }
  }
}

const nonceBytes = 12
const tagBytes = 16
