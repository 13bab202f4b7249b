import { once } from 'node:events'
import express from 'express'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import {
  type Authorization,
  httpListener,
  McpServer,
  serveHttp,
  webHandler,
} from '../../../src/server/index.ts'
import { asking } from '../input/asking.ts'
import { kit } from '../kit.ts'
import { modern, send, serve, type Wanted } from './harness.ts'

const elsewhere = 'https://example.com/.well-known/oauth-protected-resource'
const authorization: Authorization = {
  verify: async (token: string) => (token.startsWith('of-') ? token.slice(3) : undefined),
  resourceMetadataUrl: elsewhere,
}

/** Tokens are their own scopes: `Bearer ada/read+write`. */
const scoped: Authorization = {
  verify: (token) => {
    const [principal = '', scopes = ''] = token.split('/')
    return { principal, scopes: scopes.split('+').filter((scope) => scope !== '') }
  },
  authorizationServers: ['https://auth.example.com'],
}

const by = (token: string, wanted: Wanted): Wanted => ({
  ...wanted,
  headers: { ...wanted.headers, authorization: token },
})

const legacy = (method: string, params: JsonObject = {}, headers: object = {}): Wanted => ({
  headers: { ...headers },
  body: { jsonrpc: '2.0', id: 1, method, params },
})
const initialize = (protocolVersion = '2025-11-25') =>
  legacy('initialize', { protocolVersion, capabilities: {} })

describe('a token', () => {
  it.each([
    [undefined, 401, `Bearer resource_metadata="${elsewhere}"`],
    ['Basic of-ada', 401, `Bearer resource_metadata="${elsewhere}"`],
    ['Bearer forged', 401, `Bearer error="invalid_token", resource_metadata="${elsewhere}"`],
    ['Bearer', 400, `Bearer error="invalid_request", resource_metadata="${elsewhere}"`],
    ['Bearer of ada', 400, `Bearer error="invalid_request", resource_metadata="${elsewhere}"`],
    ['Bearer of-ada"', 400, `Bearer error="invalid_request", resource_metadata="${elsewhere}"`],
  ])('given as %s is answered with %i', async (token, code, challenge) => {
    const { url } = await serve(asking().server, { authorization, legacy: true })
    for (const wanted of [modern('tools/list'), { verb: 'GET' }, { verb: 'DELETE' }, { verb: 'PUT' }]) {
      const { status, headers } = await send(url, token === undefined ? wanted : by(token, wanted))
      expect([status, headers['www-authenticate']]).toEqual([code, challenge])
    }
  })

  it.each([
    ['null', () => null],
    ['nobody', () => ''],
    ['no principal', () => ({ scopes: [] })],
    ['scopes in one string', () => ({ principal: 'ada', scopes: 'read write' })],
    ['a date', () => ({ principal: 'ada', expiresAt: new Date() })],
    [
      'an error',
      () => {
        throw new Error('secret of-ada')
      },
    ],
    ['a rejection', () => Promise.reject(new Error('secret of-ada'))],
  ])('is not good when its check answers with %s', async (_, verify) => {
    const lines: unknown[] = []
    const server = kit({ onLog: ({ data }) => lines.push(data) })
    const { url } = await serve(server, { authorization: { verify: verify as Authorization['verify'] } })
    const { status, text } = await send(url, by('Bearer of-ada', modern('tools/list')))
    expect([status, text.includes('secret')]).toEqual([500, false])
    expect(lines).toEqual([expect.stringContaining('could not be verified')])
  })

  it('names who asks, and what they may do, to handlers', async () => {
    const server = new McpServer({ name: 'personal' })
    server.tool('who', {}, (_, { principal, scopes }) => JSON.stringify([principal, scopes]))
    const { url } = await serve(server, { authorization: scoped, legacy: true })
    const text = '["ada",["read"]]'
    const who = await send(url, by('Bearer ada/read', modern('tools/call', { name: 'who' })))
    expect(who.body).toMatchObject({ result: { content: [{ text }] } })
    const { headers } = await send(url, by('Bearer ada/', initialize()))
    const session = { 'mcp-session-id': String(headers['mcp-session-id']) }
    const old = await send(url, by('Bearer ada/read', legacy('tools/call', { name: 'who' }, session)))
    expect(old.body).toMatchObject({ result: { content: [{ text }] } })
  })

  it('a request state is good for whom it was made', async () => {
    const { url } = await serve(asking().server, { authorization })
    const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
    const call = async (token: string, retry: JsonObject = {}) =>
      (await send(url, by(token, modern('tools/call', { name: 'name', ...retry }, meta)))).body
    const { requestState } = (await call('Bearer of-ada')).result as { requestState: string }
    const inputResponses = { 'elicitation-1': { action: 'accept', content: { name: 'Ada' } } }
    expect(await call('Bearer of-bob', { requestState, inputResponses })).toMatchObject({
      error: { code: -32602 },
    })
    expect(await call('Bearer of-ada', { requestState, inputResponses })).toMatchObject({
      result: { resultType: 'complete' },
    })
  })

  it('finds the sessions of whom it names, and no others', async () => {
    const { url } = await serve(asking().server, { authorization, legacy: true })
    const { headers } = await send(url, by('Bearer of-ada', initialize()))
    const session = { 'mcp-session-id': String(headers['mcp-session-id']) }
    const statuses = async (wanted: Wanted) => {
      const answers = ['Bearer of-bob', 'Bearer of-ada'].map((token) => send(url, by(token, wanted)))
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    expect(await statuses(legacy('ping', {}, session))).toEqual([404, 200])
    expect(await statuses({ verb: 'DELETE', headers: session })).toEqual([404, 200])
  })
})

describe('scopes', () => {
  function twoTools(): McpServer {
    const server = new McpServer({ name: 'scoped' })
    server.tool('look', {}, () => 'seen')
    server.tool('change', { scopes: ['write', 'admin'] }, () => 'changed')
    return server
  }
  const call = (name: string) => modern('tools/call', { name })

  it('that a tool or all of a server needs are asked for at once', async () => {
    const { url, port } = await serve(twoTools(), {
      authorization: { ...scoped, requiredScopes: ['read'] },
    })
    const metadata = `resource_metadata="http://127.0.0.1:${port}/.well-known/oauth-protected-resource/mcp"`
    const challenged = (scopes: string) => `Bearer error="insufficient_scope", scope="${scopes}", ${metadata}`
    for (const [token, name, code, challenge] of [
      ['ada/read', 'look', 200, undefined],
      ['ada/write', 'look', 403, challenged('read')],
      ['ada/read', 'change', 403, challenged('read write admin')],
      ['ada/read+write', 'change', 403, challenged('read write admin')],
      ['ada/read+write+admin', 'change', 200, undefined],
    ] as const) {
      const { status, headers } = await send(url, by(`Bearer ${token}`, call(name)))
      expect([status, headers['www-authenticate']]).toEqual([code, challenge])
    }
    const { headers } = await send(url, call('look'))
    expect(headers['www-authenticate']).toBe(`Bearer scope="read", ${metadata}`)
  })

  it('hold for sessions and for batches too', async () => {
    const { url } = await serve(twoTools(), { authorization: scoped, legacy: true })
    const { headers } = await send(url, by('Bearer ada/', initialize('2025-03-26')))
    const session = { 'mcp-session-id': String(headers['mcp-session-id']) }
    const change = legacy('tools/call', { name: 'change' }, session)
    for (const [token, code] of [
      ['Bearer ada/write', 403],
      ['Bearer ada/write+admin', 200],
    ] as const) {
      expect((await send(url, by(token, change))).status).toBe(code)
      const batch = { headers: session, body: JSON.stringify([legacy('ping').body, change.body]) }
      expect((await send(url, by(token, batch))).status).toBe(code)
    }
  })

  it('nobody has where no token is asked for, but on other wires they are not asked for either', async () => {
    const { url } = await serve(twoTools())
    const { status, headers, body } = await send(url, call('change'))
    expect([status, headers['www-authenticate'], body.id]).toEqual([403, undefined, 7])
    const [result] = await twoTools().executeToolCalls([
      { id: '1', function: { name: 'change', arguments: {} } },
    ])
    expect(result).toMatchObject({ content: 'changed' })
  })

  it.each([['a b'], ['quo"te'], [''], [7]])('%s is refused as one', (scope) => {
    const scopes = [scope] as readonly string[]
    expect(() => new McpServer({ name: 'x' }).tool('t', { scopes }, () => '')).toThrow('scopes')
    expect(() =>
      httpListener(kit(), { authorization: { ...authorization, requiredScopes: scopes } }),
    ).toThrow('requiredScopes')
  })
})

describe('the metadata of a protected resource', () => {
  it('is served beside the endpoint, to everybody who may come', async () => {
    const { url, port } = await serve(kit(), {
      authorization: {
        ...scoped,
        requiredScopes: ['read'],
        scopesSupported: ['read', 'write'],
        resourceName: 'Kit',
        resourceDocumentation: 'https://example.com/docs',
      },
    })
    const at = `http://127.0.0.1:${port}/.well-known/oauth-protected-resource/mcp`
    const { status, body, headers } = await send(at, { verb: 'GET', headers: { origin: 'http://localhost' } })
    expect([status, body]).toEqual([
      200,
      {
        resource: url,
        authorization_servers: ['https://auth.example.com'],
        scopes_supported: ['read', 'write'],
        bearer_methods_supported: ['header'],
        resource_name: 'Kit',
        resource_documentation: 'https://example.com/docs',
      },
    ])
    expect(headers['access-control-allow-origin']).toBe('http://localhost')
    const exposed = (await send(url, { headers: { origin: 'http://localhost' } })).headers
    expect(exposed['access-control-expose-headers']).toContain('WWW-Authenticate')
    expect((await send(at, { verb: 'POST' })).status).toBe(405)
    expect((await send(at, { verb: 'GET', headers: { host: 'evil.example.com' } })).status).toBe(403)
    expect((await send(`http://127.0.0.1:${port}/.well-known/oauth-protected-resource`, {})).status).toBe(404)
  })

  it('names the server as its clients know it', async () => {
    const resource = 'https://tools.example.com/api/mcp'
    const { url, port } = await serve(kit(), { authorization: { ...scoped, resource } })
    const { headers } = await send(url, modern('tools/list'))
    const path = '/.well-known/oauth-protected-resource/api/mcp'
    expect(headers['www-authenticate']).toBe(`Bearer resource_metadata="https://tools.example.com${path}"`)
    expect((await send(`http://127.0.0.1:${port}${path}`, { verb: 'GET' })).body).toMatchObject({ resource })
  })

  it('is served wherever the endpoint is mounted under its path', async () => {
    const options = { authorization: { ...scoped, resource: 'http://localhost/' } }
    const path = '/.well-known/oauth-protected-resource'
    const handle = webHandler(kit(), options)
    expect(await (await handle(new Request(`http://localhost${path}`))).json()).toMatchObject({
      authorization_servers: ['https://auth.example.com'],
    })
    const app = express()
    app.all(['/', path], httpListener(kit(), options))
    const http = app.listen(0)
    await once(http, 'listening')
    onTestFinished(() => void http.close())
    const { port } = http.address() as { port: number }
    expect((await send(`http://127.0.0.1:${port}${path}`, { verb: 'GET' })).body).toMatchObject({
      resource: 'http://localhost/',
    })
    expect((await send(`http://127.0.0.1:${port}/`, modern('tools/list'))).status).toBe(401)
  })

  const issuer = { authorizationServers: ['https://auth.example.com'] }
  it.each([
    ['verify', { resourceMetadataUrl: elsewhere }],
    ['verify', { verify: 'of-ada' }],
    ['resource', { ...authorization, resourceMetadataUrl: undefined, ...issuer }],
    ['resource', { ...authorization, resource: 'example.com/mcp' }],
    ['resource', { ...authorization, resource: 'https://example.com/mcp?x' }],
    ['resource', { ...authorization, resource: 'https://example.com/mcp#x' }],
    ['resourceMetadataUrl', { ...authorization, ...issuer, resource: 'https://example.com/mcp' }],
    ['resourceMetadataUrl', { ...authorization, resourceMetadataUrl: 'https://example.com/"' }],
    ['authorizationServers', { ...authorization, authorizationServers: [] }],
    ['authorizationServers', { ...authorization, authorizationServers: ['auth.example.com'] }],
    ['realm', { ...authorization, realm: 'mine' }],
  ])('is not made of a bad %s: %o', async (option, given) => {
    const options = { authorization: given as Authorization }
    expect(() => httpListener(kit(), options)).toThrow(`authorization.${option}`)
    expect(() => webHandler(kit(), options)).toThrow(`authorization.${option}`)
    await expect(serveHttp(kit(), { ...options, host: '0.0.0.0', port: 0 })).rejects.toThrow(
      `authorization.${option}`,
    )
  })
})
