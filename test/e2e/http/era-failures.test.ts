import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { AuthorizationError, HttpError } from '../../../src/index.ts'
import { listening } from '../../transports/http/harness.ts'
import { failureOf } from '../harness.ts'
import { bare, type Route } from './bare.ts'
import { connect } from './harness.ts'
import { modern } from './modern.ts'

const sends =
  (status: number, headers = {}): Route =>
  (exchange) =>
    exchange.send(status, 'no', headers)
const challenge = { 'www-authenticate': 'Bearer resource_metadata="https://example.com/meta"' }

const raised: readonly (readonly [string, Route, object])[] = [
  [
    '401',
    sends(401, challenge),
    { name: 'AuthorizationError', status: 401, challenge: challenge['www-authenticate'] },
  ],
  ['403', sends(403), { name: 'AuthorizationError', status: 403 }],
  ...[500, 501, 502, 503, 504].map((status): [string, Route, object] => [
    `${status}`,
    sends(status),
    { name: 'HttpError', status, bodyTail: 'no' },
  ]),
  ['408', sends(408), { name: 'HttpError', status: 408 }],
  ['429', sends(429), { name: 'HttpError', status: 429 }],
  [
    '500 that is no error of JSON-RPC',
    (exchange) => exchange.json({ error: 'out of order' }, 500),
    { name: 'HttpError', status: 500, message: expect.stringContaining('out of order') },
  ],
  [
    'a redirect to another origin',
    sends(307, { location: 'http://localhost:1/mcp' }),
    { name: 'HttpError', status: 307, message: expect.stringContaining('http://localhost:1') },
  ],
  [
    'a redirect that loses the message',
    sends(303, { location: '/login' }),
    { name: 'HttpError', status: 303, message: expect.stringContaining('/login') },
  ],
  ['a connection that breaks', ({ response }) => response.destroy(), { name: 'HttpError', status: 0 }],
  [
    'an answer that breaks off',
    ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"jsonrpc":"2.0",', () => response.destroy())
    },
    { name: 'HttpError', status: 0 },
  ],
]

describe('no era is concluded', () => {
  it.each(raised)('from %s to the probe', async (_, reply, failure) => {
    const server = await bare({ 'server/discover': reply })
    const { client } = connect(server, { url: server.url })
    const failures = [client.callTool('echo'), client.listTools(), client.era()].map(failureOf)
    for (const one of await Promise.all(failures)) expect(one).toMatchObject(failure)
    const report = await client.probeReport()
    expect(report).toMatchObject({
      verdict: 'undecided',
      evidence: [{ asked: 'server/discover', verdict: 'raised' }],
      failure,
    })
    expect([client.state.value, client.state.context.era]).toEqual(['closed', undefined])
    expect(new Set(server.seen.map(({ name }) => name))).toEqual(new Set(['server/discover']))
  })

  it.each(raised)('from %s to the handshake', async (_, reply, failure) => {
    const server = await bare({ 'server/discover': sends(404), initialize: reply })
    const { client } = connect(server, { url: server.url })
    expect(await failureOf(client.era())).toMatchObject(failure)
    const report = await client.probeReport()
    expect(report).toMatchObject({
      verdict: 'undecided',
      evidence: [{ verdict: 'legacy' }, { asked: 'initialize', verdict: 'raised' }],
      failure,
    })
    expect(server.count('GET')).toBe(0)
  })

  it('from a port where nobody listens', async () => {
    const server = createServer()
    const url = `http://127.0.0.1:${await listening(server)}/mcp`
    await new Promise((closed) => server.close(closed))
    const { client } = connect({ idle: async () => undefined }, { url })
    const failure = await failureOf(client.era())
    expect(failure).toBeInstanceOf(HttpError)
    expect(failure).toMatchObject({ code: 'HTTP', status: 0, cause: { code: 'ECONNREFUSED' } })
    expect(await client.probeReport()).toMatchObject({
      verdict: 'undecided',
      evidence: [{ verdict: 'raised' }],
    })
  })

  it('from what does not speak HTTP', async () => {
    const server = createServer((socket) => socket.resume().end('SSH-2.0-OpenSSH_9.6\r\n'))
    const url = `http://127.0.0.1:${await listening(server)}/mcp`
    const { client } = connect(
      { idle: async () => void (await new Promise((idle) => server.close(idle))) },
      { url },
    )
    expect(await failureOf(client.era())).toMatchObject({ name: 'HttpError', status: 0 })
  })
})

describe('a client that wants nothing but the modern era', () => {
  it.each([404, 200])('shakes no hands with a server that answers %i', async (status) => {
    const server = await bare({}, sends(status))
    const { client } = connect(server, { url: server.url, era: 'modern' })
    expect(await failureOf(client.era())).toMatchObject({ name: 'UnsupportedVersionError', supported: [] })
    expect(server.seen.map(({ name }) => name)).toEqual(['server/discover'])
  })
})

describe('a server that wants credentials', () => {
  it('says so in an error that can be told from others', async () => {
    const server = await bare({ 'server/discover': sends(401, challenge) })
    const { client } = connect(server, { url: server.url })
    const failure = await failureOf(client.listTools())
    expect(failure).toBeInstanceOf(AuthorizationError)
    expect(failure).toMatchObject({ code: 'AUTHORIZATION', challenge: challenge['www-authenticate'] })
  })

  it('in the middle of a connection fails the call, and the connection goes on', async () => {
    const server = await modern({ 'prompts/get': sends(401, challenge) })
    const { client } = connect(server, { url: server.url })
    expect(await failureOf(client.getPrompt('any'))).toBeInstanceOf(AuthorizationError)
    expect(client.state.value).toEqual({ modern: 'ready' })
    expect((await client.callTool('echo')).content).toHaveLength(1)
  })
})

describe('a URL at which there is no server', () => {
  it.each([404, 405, 400])('but %i for everything is told as what it is', async (status) => {
    const server = await bare({}, sends(status))
    const { client } = connect(server, { url: server.url })
    const failure = await failureOf(client.era())
    expect(failure).toMatchObject({ name: 'HttpError', status })
    expect(server.seen.map(({ name }) => name)).toEqual(['server/discover', 'initialize', 'GET'])
    expect(await client.probeReport()).toMatchObject({
      verdict: 'undecided',
      evidence: [
        { verdict: 'legacy', answer: { kind: 'http', status } },
        { verdict: 'refused', answer: { kind: 'http', status } },
      ],
    })
  })

  it('but a page is told as what it is', async () => {
    const server = await bare({}, (exchange) =>
      exchange.send(200, '<html>hi</html>', { 'content-type': 'text/html' }),
    )
    const { client } = connect(server, { url: server.url })
    const failure = await failureOf(client.era())
    expect(failure).toMatchObject({ name: 'HttpError', status: 200, bodyTail: '<html>hi</html>' })
  })
})
