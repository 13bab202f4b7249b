import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { FileTokenStore } from '../../../src/auth/store/file-token-store.ts'
import { signInKeys } from '../../../src/auth/tokens/sign-in-keys.ts'
import { TokenShelf } from '../../../src/auth/tokens/token-shelf.ts'

it('of several that claim a server for their issuers at once, all learn of the same one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shelves-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const resource = 'https://server.example/mcp'
  const keys = signInKeys(new URL(resource), { clientId: 'me' })
  const shelf = () => new TokenShelf(new FileTokenStore(folder), keys)
  const issuers = ['https://one.example', 'https://two.example', 'https://three.example']
  const claimed = await Promise.all(issuers.map((issuer) => shelf().claimPlace({ issuer, resource })))
  expect(new Set(claimed).size).toBe(1)
  expect(await shelf().lastPlace()).toEqual({ issuer: claimed[0], resource })
})
