import { describe, expect, it } from 'vitest'
import { failureOf, hostings, textOf } from '../harness.ts'
import { type BareExchange, type Route, said } from './bare.ts'
import { connect } from './harness.ts'
import { initialized, legacy } from './legacy.ts'
import { answers, discovery, modern, modernVersion } from './modern.ts'

const latestLegacy = '2025-11-25'

const discovered = (verdict: string, reason: string) => ({
  asked: 'server/discover',
  version: modernVersion,
  verdict,
  reason,
})
const agreed = {
  asked: 'initialize',
  version: latestLegacy,
  verdict: 'agreed',
  reason: 'agreed on 2025-11-25',
}
const named = discovered('modern', 'the server names 2026-07-28')
const noAnswer = (status: number) => discovered('legacy', `HTTP ${status} is no answer of a modern server`)

const refuses =
  (status: number, code: number, data?: unknown): Route =>
  (exchange) =>
    exchange.refuse(status, code, 'no', data)
const sends =
  (status: number, body = '', type = 'text/html'): Route =>
  (exchange) =>
    exchange.send(status, body, body === '' ? {} : { 'content-type': type })

const modernReplies: readonly (readonly [string, Route | readonly Route[], readonly unknown[]])[] = [
  ['200 with a DiscoverResult', answers(discovery), [named]],
  ['the same on a stream', (exchange: BareExchange) => exchange.stream().answer(discovery).end(), [named]],
  [
    '400 with -32022 that names the very version sent, once',
    [refuses(400, -32022, { supported: [modernVersion] }), answers(discovery)],
    [discovered('probeAgain', '-32022 names 2026-07-28, the very version sent'), named],
  ],
  ['400 with -32021', refuses(400, -32021), [discovered('modern', 'only a modern server answers -32021')]],
  ['400 with -32020', refuses(400, -32020), [discovered('modern', 'only a modern server answers -32020')]],
]

const legacyReplies: readonly (readonly [string, Route, unknown])[] = [
  ['404 with -32601', refuses(404, -32601), discovered('legacy', 'error -32601: no')],
  ['400 with -32000', refuses(400, -32000), discovered('legacy', 'error -32000: no')],
  ['200 with -32602', refuses(200, -32602), discovered('legacy', 'error -32602: no')],
  ['200 with a code nobody defined', refuses(200, -31999), discovered('legacy', 'error -31999: no')],
  ...[400, 404, 405, 406, 410, 415, 422].map((status): [string, Route, unknown] => [
    `${status} without a body`,
    sends(status),
    noAnswer(status),
  ]),
  ['404 with a page', sends(404, '<html>not here</html>'), noAnswer(404)],
  ['400 with JSON of its own', sends(400, '{"error":"no session"}', 'application/json'), noAnswer(400)],
  ['200 with a page', sends(200, '<html>welcome</html>'), noAnswer(200)],
  ['200 with JSON of its own', sends(200, '{"status":"ok"}', 'application/json'), noAnswer(200)],
  ['200 with nothing', sends(200), noAnswer(200)],
  ['202', sends(202), noAnswer(202)],
  ['204', sends(204), noAnswer(204)],
  ['a stream that ends without an answer', (exchange) => exchange.stream().end(), noAnswer(200)],
  ['a result that is none', answers({ tools: [] }), discovered('legacy', 'the answer is no DiscoverResult')],
  [
    'a DiscoverResult that lists only legacy versions',
    answers({ ...discovery, supportedVersions: [latestLegacy] }),
    discovered('legacy', 'the server names only 2025-11-25'),
  ],
  [
    '400 with -32022 that names only legacy versions',
    refuses(400, -32022, { supported: [latestLegacy] }),
    discovered('legacy', '-32022 names 2025-11-25'),
  ],
  ['silence', () => undefined, discovered('legacy', 'no answer within the probe budget')],
]

describe.each(hostings)('the era of a server on a URL (%s)', (hosting) => {
  it.each(modernReplies)('is modern: %s', async (_, reply, evidence) => {
    const server = await modern({ 'server/discover': reply })
    const { client, warnings } = connect(server, { url: server.url, hosting })
    expect(await client.era()).toBe('modern')
    expect(await client.protocolVersion()).toBe(modernVersion)
    expect(await client.probeReport()).toMatchObject({ verdict: 'modern', evidence, failure: undefined })
    expect(textOf(await client.callTool('echo'))).toBe('echo was called')
    expect(server.count('initialize')).toBe(0)
    expect(warnings.all).toEqual([])
  })

  it.each(legacyReplies)('is legacy: %s', async (_, reply, evidence) => {
    const server = await legacy({ 'server/discover': reply })
    const { client, warnings } = connect(server, { url: server.url, hosting, probeTimeoutMs: 400 })
    expect(await client.era()).toBe('legacy')
    expect(await client.protocolVersion()).toBe(latestLegacy)
    expect(await client.probeReport()).toMatchObject({ verdict: 'legacy', evidence: [evidence, agreed] })
    expect(textOf(await client.callTool('echo'))).toBe('echo was called')
    expect([server.count('server/discover'), server.count('initialize')]).toEqual([1, 1])
    expect(warnings.all).toEqual([])
  })

  it('stays modern when a method is missing, which is 404 too', async () => {
    const server = await modern()
    const { client } = connect(server, { url: server.url, hosting })
    expect(await failureOf(client.getPrompt('any'))).toMatchObject({ name: 'ProtocolError', code: -32601 })
    expect(client.state).toMatchObject({ value: { modern: 'ready' }, context: { era: 'modern' } })
    expect(textOf(await client.callTool('echo'))).toBe('echo was called')
    expect(server.count('server/discover')).toBe(1)
  })

  it('is asked for again when a call is refused for its version, and the call is repeated', async () => {
    const refusal = { supported: [modernVersion], requested: modernVersion }
    const server = await modern({
      'tools/call': [refuses(400, -32022, refusal), answers(said('after all'))],
    })
    const { client } = connect(server, { url: server.url, hosting })
    expect(textOf(await client.callTool('echo'))).toBe('after all')
    expect(server.seen.map(({ name }) => name)).toEqual([
      'server/discover',
      'tools/call',
      'server/discover',
      'tools/call',
    ])
  })

  it('is asked once, whoever wants to know', async () => {
    const server = await modern()
    const { client } = connect(server, { url: server.url, hosting })
    const calls = ['one', 'two', 'three'].map((tool) => client.callTool(tool))
    expect((await Promise.all(calls)).map(textOf)).toEqual([
      'one was called',
      'two was called',
      'three was called',
    ])
    expect(await client.era()).toBe('modern')
    expect(server.seen.map(({ name }) => name)).toEqual(['server/discover', ...Array(3).fill('tools/call')])
  })

  it.each(['2025-06-18', '2025-03-26', '2024-11-05'])('is legacy, down to %s', async (version) => {
    const server = await legacy({}, { version })
    const { client } = connect(server, { url: server.url, hosting })
    expect(await client.protocolVersion()).toBe(version)
    expect(textOf(await client.callTool('echo'))).toBe('echo was called')
  })

  it('is what the options say, unprobed', async () => {
    const server = await legacy()
    const { client } = connect(server, { url: server.url, hosting, era: 'legacy' })
    expect(textOf(await client.callTool('echo'))).toBe('echo was called')
    expect(server.count('server/discover')).toBe(0)
  })
})

describe('the probe', () => {
  it('that is not answered is given up, and its connection closed', async () => {
    const server = await legacy({ 'server/discover': () => undefined })
    const { client, warnings } = connect(server, { url: server.url, probeTimeoutMs: 200 })
    const probe = await server.exchange('server/discover')
    await probe.left
    expect(await client.era()).toBe('legacy')
    expect(warnings.all).toEqual([])
  })

  it('follows a redirect that keeps message and origin', async () => {
    const moved: Route = (exchange) => exchange.send(308, '', { location: '/elsewhere' })
    const server = await modern({ 'server/discover': [moved, answers(discovery)] })
    const { client } = connect(server, { url: server.url })
    expect(await client.era()).toBe('modern')
    expect(server.seen.map(({ url }) => url)).toEqual(['/mcp', '/elsewhere'])
  })

  it('is followed by a handshake that may be answered on a stream', async () => {
    const version = '2025-03-26'
    const answer: Route = (exchange) => exchange.stream().answer(initialized(version)).end()
    const server = await legacy({ initialize: answer }, { version, hasSessions: false })
    const { client } = connect(server, { url: server.url })
    expect(await client.supportedVersions()).toEqual([])
    expect(await client.serverInfo()).toEqual({ name: 'bare', version: '1.0.0' })
    expect(await client.protocolVersion()).toBe(version)
  })
})
