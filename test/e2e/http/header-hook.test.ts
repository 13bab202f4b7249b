import { describe, expect, it } from 'vitest'
import { ConfigError } from '../../../src/index.ts'
import { failureOf, textOf } from '../harness.ts'
import { type BareExchange, bare, said } from './bare.ts'
import { connect } from './harness.ts'
import { legacy } from './legacy.ts'
import { modern } from './modern.ts'

const tokens = (seen: readonly BareExchange[]) => seen.map(({ headers }) => headers.authorization)

describe('headers of the application', () => {
  it('go with every request', async () => {
    const server = await legacy()
    const { client } = connect(server, {
      url: server.url,
      headers: { 'X-Tenant': 'ä', AUTHORIZATION: 'a' },
    })
    await client.callTool('echo')
    await client.close()
    expect(server.seen.map(({ name }) => name)).toEqual(expect.arrayContaining(['GET', 'DELETE']))
    expect(new Set(tokens(server.seen))).toEqual(new Set(['a']))
    expect(new Set(server.seen.map(({ headers }) => headers['x-tenant']))).toEqual(new Set(['ä']))
  })

  it.each(['modern', 'legacy'])('are asked for before each of a %s connection', async (era) => {
    const server = await (era === 'modern' ? modern() : legacy())
    let count = 0
    const headers = async () => ({ authorization: `Bearer ${++count}` })
    const { client } = connect(server, { url: server.url, headers })
    await client.callTool('echo')
    await Promise.all([client.callTool('one'), client.callTool('two')])
    await client.close()
    const sent = tokens(server.seen)
    expect(new Set(sent).size).toBe(server.seen.length)
    expect([...sent].sort()).toEqual(server.seen.map((_, index) => `Bearer ${index + 1}`).sort())
  })

  it('may be fresh the next time, when they were refused', async () => {
    const server = await modern({
      'tools/call': (exchange) => {
        if (exchange.headers.authorization === 'fresh') exchange.answer(said('welcome'))
        else exchange.send(401)
      },
    })
    const coming = ['first', 'stale', 'fresh']
    const headers = () => ({ authorization: coming.shift() ?? 'none left' })
    const { client } = connect(server, { url: server.url, headers })
    expect(await failureOf(client.callTool('echo'))).toMatchObject({
      name: 'AuthorizationError',
      status: 401,
    })
    expect(textOf(await client.callTool('echo'))).toBe('welcome')
    expect(tokens(server.seen)).toEqual(['first', 'stale', 'fresh'])
  })

  it.each<readonly [string, () => Record<string, string>, object]>([
    [
      'throws',
      () => {
        throw new Error('no token today')
      },
      { name: 'ConfigError', path: ['headers'], message: expect.stringContaining('no token today') },
    ],
    ['gives a line end', () => ({ a: 'b\r\nc: d' }), { name: 'ConfigError', path: ['headers', 'a'] }],
    [
      'gives one of ours',
      () => ({ 'Mcp-Method': 'x' }),
      { name: 'ConfigError', path: ['headers', 'Mcp-Method'] },
    ],
  ])('fail what they are for when their function %s', async (_, bad, failure) => {
    const server = await modern()
    let isBad = false
    const headers = () => (isBad ? bad() : {})
    const { client } = connect(server, { url: server.url, headers })
    await client.era()
    isBad = true
    expect(await failureOf(client.callTool('echo'))).toMatchObject(failure)
    isBad = false
    expect(textOf(await client.callTool('echo'))).toBe('echo was called')
    expect(server.count('tools/call')).toBe(1)
  })

  it('are never sent to another origin', async () => {
    const other = await bare({})
    const server = await bare({
      'server/discover': (exchange) => exchange.send(308, '', { location: other.url }),
    })
    const { client } = connect(server, { url: server.url, headers: { authorization: 'secret' } })
    expect(await failureOf(client.era())).toMatchObject({ name: 'HttpError', status: 308 })
    expect(other.seen).toEqual([])
  })
})

describe('options of a URL', () => {
  it.each<readonly [string, object, readonly string[]]>([
    ['no URL', {}, ['url']],
    ['what is none', { url: 'nonsense' }, ['url']],
    ['a URL of another kind', { url: 'ftp://localhost/mcp' }, ['url']],
    ['credentials in it', { url: 'http://me:hush@localhost/mcp' }, ['url']],
    ['headers that are no strings', { url: 'http://localhost', headers: { a: 1 } }, ['headers']],
    ['what belongs to processes', { url: 'http://localhost', command: 'node' }, ['command']],
  ])('are refused before anything starts: %s', (_, options, path) => {
    const connecting = () => connect({ idle: async () => undefined }, Object(options))
    expect(connecting).toThrow(ConfigError)
    expect(connecting).toThrow(expect.objectContaining({ path }))
    expect(connecting).not.toThrow(/hush/)
  })
})
