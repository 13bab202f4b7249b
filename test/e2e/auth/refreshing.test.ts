import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findSignIn } from '../../../src/auth/sign-ins.ts'
import { FileTokenStore } from '../../../src/auth/store/file-token-store.ts'
import { MemoryTokenStore } from '../../../src/auth/store/memory-token-store.ts'
import { failureOf, hostings, textOf } from '../harness.ts'
import { startHost } from '../hosts.ts'
import { connect } from '../http/harness.ts'
import { issuer } from './issuer.ts'
import { consenting, posts, protectedServer, tokenOf } from './protected.ts'

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

it('a client that the issuer forgot registers anew, before a person is sent there as somebody unknown', async () => {
  const as = await issuer()
  const server = await protectedServer({ issuer: as })
  const { client } = connect(server, { url: server.url, auth: consenting() })
  await client.callTool('one')
  as.expireAll()
  as.forgetClients()
  expect(textOf(await client.callTool('two'))).toBe('two was called')
  expect(as.registrations).toHaveLength(2)
})

it('an issuer that has no time ends no sign-in', async () => {
  const as = await issuer()
  const server = await protectedServer({ issuer: as })
  const store = new MemoryTokenStore()
  const { client } = connect(server, { url: server.url, auth: consenting({ store }) })
  await client.callTool('one')
  as.expireAll()
  as.isBusy = true
  expect(String(await failureOf(client.callTool('two')))).toMatch(/refreshing a token failed/)
  expect(await findSignIn(store, server.url)).toMatchObject({ canRefresh: true })
})

it('a server that changes its issuer and comes back is shown nothing of the other one', async () => {
  const [one, two] = [await issuer(), await issuer()]
  let current = one
  const server = await protectedServer({
    issuer: one,
    metadata: () => ({ authorization_servers: [current.url] }),
    accepts: (token) => current.scopesOf(token) !== undefined,
  })
  const { client } = connect(server, { url: server.url, auth: consenting() })
  await client.callTool('one')
  current = two
  await client.callTool('two')
  current = one
  expect(textOf(await client.callTool('three'))).toBe('three was called')
  expect([one.count('refresh_token'), two.count('refresh_token')]).toEqual([0, 0])
})

it('a sign-in of another issuer than the host names by now is not used', async () => {
  const as = await issuer()
  const server = await protectedServer({ issuer: as })
  const store = new MemoryTokenStore()
  const known = { store, clientId: 'me', clientSecret: 'a secret of mine' }
  const first = connect(server, { url: server.url, auth: consenting(known) }).client
  await first.callTool('one')
  await first.close()
  const before = posts(server).length
  const auth = consenting({ ...known, issuer: 'https://mine.example' })
  const { client } = connect(server, { url: server.url, auth })
  expect(String(await failureOf(client.callTool('two')))).toMatch(/me is a client of https:\/\/mine\.example/)
  expect(posts(server).slice(before).map(tokenOf)).toEqual([undefined])
})

it('a server that is never content sends nobody to sign in without end', async () => {
  const as = await issuer()
  const server = await protectedServer({ issuer: as })
  const { client } = connect(server, { url: server.url, auth: consenting() })
  const failures: string[] = []
  for (let calls = 0; calls < 20; calls++) {
    await client.callTool('one').catch((failure) => failures.push(String(failure)))
    as.endAll()
  }
  expect(failures[0]).toMatch(/again and again/)
  expect(as.authorizations).toHaveLength(10)
})
