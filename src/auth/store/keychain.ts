import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../clock.ts'
import { ConfigError } from '../../errors.ts'
import { withFileLock } from '../../files/file-lock.ts'
import { Seal } from '../../seal.ts'
import { thrownMessage } from '../../thrown-message.ts'
import type { Sealing } from './file-token-store.ts'
import { heldTooLong } from './held-too-long.ts'

/**
 * Seals under a key that only the system's keychain holds; made on first use, once for all processes. Not the values themselves are put
 * there: Windows takes none of the size of a token. @throws ConfigError where there is no keychain, or it does not work
 */
export async function keychainSealing(folder: string): Promise<Sealing> {
  const entry = await openEntry()
  try {
    return sealingUnder((await entry.getPassword()) ?? (await makeKey(entry, folder)))
  } catch (cause) {
    throw unusable(`does not work: ${thrownMessage(cause)}`, cause)
  }
}

type Entry = InstanceType<typeof import('@napi-rs/keyring').AsyncEntry>

async function openEntry(): Promise<Entry> {
  let keyring: typeof import('@napi-rs/keyring')
  try {
    keyring = await import('@napi-rs/keyring')
  } catch (cause) {
    throw unusable('cannot be reached without @napi-rs/keyring, which is not installed', cause)
  }
  try {
    // The kernel's own keyring forgets everything when the machine starts.
    return new keyring.AsyncEntry('mcp-troupe', 'stored sign-ins', { linux: { store: 'secret-service' } })
  } catch (cause) {
    throw unusable(`does not work: ${thrownMessage(cause)}`, cause)
  }
}

async function makeKey(entry: Entry, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const make = async () => {
    const made = await entry.getPassword()
    if (made) return made
    const key = randomBytes(32).toString('base64url')
    await entry.setPassword(key)
    return key
  }
  return withFileLock(join(folder, 'keychain.lock'), make, {
    clock: systemClock,
    timeoutMs,
    heldTooLong: (holder) => heldTooLong(timeoutMs, holder),
  })
}

/** Opens nothing that was sealed for another key. */
export function sealingUnder(secret: string): Sealing {
  const seal = new Seal(secret)
  return {
    seal: (key, value) => seal.seal({ key, value }),
    open: (key, sealed) => {
      const content = seal.open(sealed)
      return content?.key === key && typeof content.value === 'string' ? content.value : undefined
    },
  }
}

function unusable(reason: string, cause: unknown): ConfigError {
  return new ConfigError(
    { path: ['keychain'], reason: `${reason}; a FileTokenStore does without` },
    { cause },
  )
}

const timeoutMs = 60_000
