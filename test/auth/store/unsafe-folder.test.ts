import { chmod, chown, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FileTokenStore } from '../../../src/auth/store/file-token-store.ts'
import { ConfigError } from '../../../src/errors.ts'

const key = 'https://issuer.example https://server.example/mcp'
const token = '{"access_token":"hunter2-hunter2"}'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unsafe-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true, force: true })
})

/** Everything that a store does with its folder. */
const uses = {
  read: (store: FileTokenStore) => store.read(key),
  keys: (store: FileTokenStore) => store.keys(),
  write: (store: FileTokenStore) => store.write(key, token),
  locked: (store: FileTokenStore) => store.locked(key, async () => {}),
}

// Windows says nothing of it in a mode.
describe.skipIf(process.platform === 'win32').each(Object.entries(uses))('a token store: %s', (_, use) => {
  it.each([0o720, 0o702, 0o1777])('is refused where others may write: %o', async (mode) => {
    await chmod(folder, mode)
    const failure = await use(new FileTokenStore(folder)).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConfigError)
    expect(String(failure)).toContain(`${folder}: may be written by others than its owner; chmod 700 it`)
    expect(await readdir(folder)).toEqual([])
  })

  it('is refused in a folder of somebody else', async () => {
    const { uid } = await stat(folder)
    // What root has is trusted.
    if (uid === 0) await chown(folder, 1, 1)
    vi.spyOn(process, 'geteuid').mockReturnValue(uid + 54_321)
    const failure = await use(new FileTokenStore(folder)).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConfigError)
    expect(String(failure)).toContain(`${folder}: belongs to another user`)
    expect(await readdir(folder)).toEqual([])
  })

  it('goes on where others may only look', async () => {
    const store = new FileTokenStore(folder)
    await store.write(key, token)
    await chmod(folder, 0o755)
    await use(store)
    expect(await store.read(key)).toBe(token)
  })
})
