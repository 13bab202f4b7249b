import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { FileTokenStore } from '../../../src/auth/store/file-token-store.ts'
import { hostings, textOf } from '../harness.ts'
import { startHost } from '../hosts.ts'
import { connect } from '../http/harness.ts'
import { issuer } from './issuer.ts'
import { consenting, protectedServer } from './protected.ts'

it('two connections in two threads refresh a rotating token once, and both go on', async () => {
  const as = await issuer()
  const server = await protectedServer({ issuer: as })
  const auth = consenting()
  const clients = hostings.map((hosting) => connect(server, { url: server.url, hosting, auth }).client)
  await Promise.all(clients.map((client) => client.callTool('one')))
  for (const round of [1, 2]) {
    as.expireAll()
    const answers = await Promise.all([...clients, ...clients].map((client) => client.callTool('two')))
    expect(answers.map(textOf)).toEqual(Array(4).fill('two was called'))
    expect(as.count('refresh_token')).toBe(round)
  }
  expect(as.authorizations).toHaveLength(1)
})

it('so do two processes with one store', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const as = await issuer()
  const server = await protectedServer({ issuer: as })
  const { client } = connect(server, {
    url: server.url,
    auth: consenting({ store: new FileTokenStore(folder) }),
  })
  await client.callTool('one')
  as.expireAll()
  const hosts = [1, 2].map(() => startHost('signed-in', [server.url, folder]))
  const ends = await Promise.all(hosts.map(({ ended }) => ended))
  expect(hosts.map(({ stdout, stderr }) => [...stdout.all, ...stderr.all])).toEqual([
    ['one was called'],
    ['one was called'],
  ])
  expect(ends.map(({ code }) => code)).toEqual([0, 0])
  // The one that signed in takes over what the others stored.
  expect(textOf(await client.callTool('two'))).toBe('two was called')
  expect(as.count('refresh_token')).toBe(1)
  expect(as.authorizations).toHaveLength(1)
})

it('a token that is about to expire is refreshed before it is shown', async () => {
  const as = await issuer({ answer: { expires_in: 0 } })
  const server = await protectedServer({ issuer: as })
  const { client } = connect(server, { url: server.url, auth: consenting() })
  await client.callTool('one')
  const refused = server.count('tools/call')
  await client.callTool('two')
  expect(server.count('tools/call') - refused).toBe(1)
  expect(as.count('refresh_token')).toBeGreaterThan(0)
  expect(as.authorizations).toHaveLength(1)
})

it('a sign-in that is over is made anew when the server refuses its token', async () => {
  const as = await issuer()
  const server = await protectedServer({ issuer: as })
  const { client } = connect(server, { url: server.url, auth: consenting() })
  await client.callTool('one')
  as.endAll()
  expect(textOf(await client.callTool('two'))).toBe('two was called')
  expect(as.count('refresh_token')).toBe(1)
  expect(as.authorizations).toHaveLength(2)
})
