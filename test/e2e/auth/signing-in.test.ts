import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { MemoryTokenStore } from '../../../src/auth/store/memory-token-store.ts'
import { AuthorizationError, ConfigError, McpClient } from '../../../src/index.ts'
import { failureOf, hostings, textOf } from '../harness.ts'
import { type BareExchange, said } from '../http/bare.ts'
import { connect } from '../http/harness.ts'
import { issuer } from './issuer.ts'
import { consenting, posts, protectedServer, tokenOf } from './protected.ts'

describe('a server that wants a token', () => {
  it.each(hostings)('is signed in to when it says so, and then never again (%s)', async (hosting) => {
    const as = await issuer()
    const server = await protectedServer({ issuer: as })
    const { client } = connect(server, { url: server.url, hosting, auth: consenting() })
    expect(textOf(await client.callTool('one'))).toBe('one was called')
    expect(textOf(await client.callTool('two'))).toBe('two was called')
    const [refused, ...taken] = posts(server)
    expect(refused && tokenOf(refused)).toBeUndefined()
    expect(new Set(taken.map(tokenOf)).size).toBe(1)
    const [asked] = as.authorizations
    expect(asked?.get('scope')).toBe('basic')
    expect(asked?.get('resource')).toBe(server.url)
    expect(as.registrations).toMatchObject([
      { application_type: 'native', token_endpoint_auth_method: 'none' },
    ])
    expect(as.tokenRequests).toMatchObject([{ grant_type: 'authorization_code', resource: server.url }])
  })

  it('is one sign-in for all connections with the same options, however many want it at once', async () => {
    const as = await issuer()
    const server = await protectedServer({ issuer: as })
    const auth = consenting()
    const clients = hostings.map((hosting) => connect(server, { url: server.url, hosting, auth }).client)
    await Promise.all(clients.map((client) => client.callTool('one')))
    expect(as.authorizations).toHaveLength(1)
    const { client } = connect(server, { url: server.url, auth: consenting() })
    await client.callTool('one')
    expect(as.authorizations).toHaveLength(2)
  })

  it('can be used by a program alone', async () => {
    const as = await issuer()
    const server = await protectedServer({ issuer: as })
    const grant = { type: 'client_credentials' } as const
    const auth = { grant, clientId: 'me-too', clientSecret: 'a secret' }
    const { client } = connect(server, { url: server.url, auth })
    await client.callTool('one')
    const [request] = as.tokenRequests
    expect(request?.authorization).toBe(`Basic ${btoa('me-too:a+secret')}`)
    as.expireAll()
    await client.callTool('one')
    expect(as.count('client_credentials')).toBe(2)
  })

  it('that refuses every token is asked just once more', async () => {
    const as = await issuer()
    const server = await protectedServer({ issuer: as, accepts: () => false })
    const { client } = connect(server, { url: server.url, hosting: 'inline', auth: consenting() })
    const failure = await failureOf(client.callTool('one'))
    expect(failure).toBeInstanceOf(AuthorizationError)
    expect(failure).toMatchObject({ status: 401 })
    expect(posts(server)).toHaveLength(2)
    expect(as.authorizations).toHaveLength(1)
  })

  it('fails with what to do where nobody can be asked, and without a word of what is secret', async () => {
    const as = await issuer()
    const server = await protectedServer({ issuer: as })
    const { client } = connect(server, {
      url: server.url,
      auth: { clientId: 'x', clientSecret: 'hush-hush' },
    })
    const failure = await failureOf(client.callTool('one'))
    expect(String(failure)).toMatch(
      /somebody has to sign in at http:.+; set auth\.redirectUri and auth\.onRedirect/,
    )
    expect(JSON.stringify(failure)).not.toContain('hush-hush')
  })

  it('may break off in the middle of its refusal: the head has said it all', async () => {
    const as = await issuer()
    let refusals = 0
    const breaksOff = (exchange: BareExchange) => {
      if (++refusals > 1) return exchange.answer(said('came through'))
      const headers = { 'www-authenticate': 'Bearer error="invalid_token"', 'content-length': '1000' }
      exchange.response.writeHead(401, headers).write('x', () => exchange.response.destroy())
    }
    const server = await protectedServer({ issuer: as, tools: { frail: breaksOff } })
    const { client } = connect(server, { url: server.url, auth: consenting() })
    expect(textOf(await client.callTool('frail'))).toBe('came through')
    expect(as.count('refresh_token')).toBe(1)
  })

  it('is not quoted when it quotes the token it refuses', async () => {
    const as = await issuer()
    const quotes = (exchange: BareExchange) =>
      exchange.json({ error_description: `no: ${exchange.headers.authorization}` }, 403)
    const server = await protectedServer({ issuer: as, tools: { loud: quotes } })
    const { client } = connect(server, { url: server.url, auth: consenting() })
    const failure = await failureOf(client.callTool('loud'))
    const token = posts(server).map(tokenOf).at(-1)
    expect(String(failure)).toMatch(/forbids this with these credentials \(403\): no: \*\*\*/)
    expect(token).toBeDefined()
    expect(JSON.stringify([String(failure), failure])).not.toContain(token)
  })

  it.each(hostings)('is watched without a token being seen (%s)', async (hosting) => {
    const as = await issuer()
    const server = await protectedServer({ issuer: as })
    const store = new MemoryTokenStore()
    const seen: unknown[] = []
    const look = (value: unknown) => seen.push(inspect(value, { depth: 8, maxStringLength: null }))
    const auth = consenting({ store })
    const watched = { inspect: look, onTrace: look, onWarn: look, onLog: look }
    const { client } = connect(server, { url: server.url, hosting, auth, ...watched })
    await client.callTool('one')
    as.expireAll()
    await client.callTool('two')
    const stored = await Promise.all((await store.keys()).map((key) => store.read(key)))
    const secrets = [
      ...posts(server).map(tokenOf),
      ...stored.flatMap((text) => text?.match(/refresh-[\w-]+/) ?? []),
    ]
    const known = secrets.filter((secret) => secret !== undefined)
    expect(known.length).toBeGreaterThan(3)
    expect(seen.length).toBeGreaterThan(10)
    for (const secret of known) expect(seen.join()).not.toContain(secret)
  })

  it('asks nobody twice who just declined', async () => {
    const declined = (to: URL) => {
      to.searchParams.delete('code')
      to.searchParams.set('error', 'access_denied')
      return to
    }
    const as = await issuer({ redirect: declined })
    const server = await protectedServer({ issuer: as })
    const auth = consenting()
    for (let attempt = 0; attempt < 2; attempt++) {
      const { client } = connect(server, { url: server.url, auth })
      expect(String(await failureOf(client.callTool('one')))).toMatch(
        /access_denied; the sign-in was declined/,
      )
    }
    expect(as.authorizations).toHaveLength(1)
  })
})

describe('auth', () => {
  it.each([
    [{ url: 'http://notes.example/mcp', auth: {} }, /^auth: would send tokens in the clear/],
    [{ url: 'unix:/tmp/s.sock', auth: {} }, /^auth: is for servers on http and https/],
    [{ headers: { Authorization: 'Bearer x' }, auth: {} }, /^auth: stands beside the header Authorization/],
    [{ auth: { redirectUri: 'http://notes.example/back' } }, /^auth\.redirectUri: must be https/],
    [{ auth: { redirectUri: 'javascript:alert(1)' } }, /^auth\.redirectUri: must not begin with javascript:/],
    [{ auth: { clientSecret: 'x' } }, /^auth\.clientId: is missing/],
    [{ auth: { grant: { type: 'client_credentials' }, clientId: 'x' } }, /^auth\.clientSecret: is missing/],
    [{ auth: { scopes: ['a b'] } }, /^auth\.scopes: must be an array of scopes/],
    [{ auth: { token: 'x' } }, /^auth\.token: is no option/],
  ])('that cannot work is refused before anything starts: %o', (options, message) => {
    const given = { url: 'https://notes.example/mcp', ...options } as never
    const attempt = () => McpClient.connectHttp(given)
    expect(attempt).toThrow(ConfigError)
    expect(attempt).toThrow(message)
  })
})
