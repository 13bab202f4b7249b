import { expect, it } from 'vitest'
import { Registry } from '../../../src/index.ts'
import { issuer } from './issuer.ts'
import { consenting, posts, protectedServer, tokenOf } from './protected.ts'

it('a registry signs in to its servers, and a server that is restarted keeps its sign-in', async () => {
  const as = await issuer()
  const server = await protectedServer({ issuer: as })
  await using registry = new Registry()
  registry.add({ url: server.url, auth: consenting() }, { prefix: 'notes', hosting: 'inline' })
  await registry.toolsForLlm()
  await registry.restart('notes')
  await registry.toolsForLlm()
  expect(as.authorizations).toHaveLength(1)
  const tokens = new Set(posts(server).map(tokenOf))
  expect(tokens.size).toBe(2)
})

it('of a configuration the file says how, and the program adds what no file can say', async () => {
  const as = await issuer()
  const server = await protectedServer({ issuer: as })
  const file = { mcpServers: { notes: { url: server.url, auth: { scopes: ['own'] } } } }
  const asked: string[] = []
  await using registry = await Registry.fromConfig(file, {
    authFor: (name) => {
      asked.push(name)
      return consenting({ scopes: ['other'] })
    },
  })
  await registry.toolsForLlm()
  expect(asked).toEqual(['notes'])
  expect(as.authorizations.map((query) => query.get('scope'))).toEqual(['own basic'])
})
