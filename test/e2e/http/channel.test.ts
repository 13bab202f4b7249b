import { describe, expect, it } from 'vitest'
import { failureOf, textOf } from '../harness.ts'
import { type BareExchange, bare, said } from './bare.ts'
import { channelServer, replies, reply } from './channel.ts'
import { connect } from './harness.ts'

const elicitation = {
  method: 'elicitation/create',
  params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
}
const who = { action: 'accept', content: { who: 'Ada' } } as const
const isResponse = ({ name }: BareExchange) => name === 'response'

describe('a server of HTTP+SSE', () => {
  it.each([400, 404, 405])('is found after %i for discovery and handshake', async (refusal) => {
    const server = await channelServer({}, { refusal })
    const { client, warnings } = connect(server, { url: server.url })
    expect([await client.era(), await client.protocolVersion()]).toEqual(['legacy', '2024-11-05'])
    expect(await client.probeReport()).toMatchObject({
      verdict: 'legacy',
      evidence: [
        { asked: 'server/discover', verdict: 'legacy', answer: { kind: 'http', status: refusal } },
        { asked: 'initialize', verdict: 'refused', answer: { kind: 'http', status: refusal } },
        { asked: 'initialize', verdict: 'agreed', reason: 'agreed on 2024-11-05' },
      ],
    })
    expect(client.state.context.wire).toBe('older')
    expect(textOf(await client.callTool('echo'))).toBe('echo was called')
    const { url } = await server.exchange('notifications/initialized')
    expect([url, server.count('GET')]).toEqual(['/post?session=1', 1])
    expect(warnings.all).toEqual([])
  })

  it('asks, and speaks unasked, on its channel', async () => {
    const server = await channelServer()
    const { client } = connect(server, { url: server.url, onElicit: () => who })
    const subscription = await client.listen({ toolsListChanged: true })
    const channel = await server.channel()
    channel.message({ id: 1, ...elicitation }).notify('notifications/tools/list_changed')
    expect((await server.exchange(isResponse)).message).toMatchObject({ id: 1, result: who })
    const { value } = await subscription[Symbol.asyncIterator]().next()
    expect(value).toMatchObject({ method: 'notifications/tools/list_changed' })
  })

  it('gets no call before the handshake was confirmed', async () => {
    const confirmed: string[] = []
    const server = await channelServer({
      'notifications/initialized': () => confirmed.push('confirmed'),
      'tools/call': (exchange, channel) => reply(exchange, channel, said(confirmed.join())),
    })
    for (const _ of Array(10)) {
      confirmed.length = 0
      const { client } = connect(server, { url: server.url, hosting: 'inline' })
      expect(textOf(await client.callTool('echo'))).toBe('confirmed')
      await client.close()
    }
  })

  it('answers many calls in any order, on one channel', async () => {
    const held: BareExchange[] = []
    const server = await channelServer({
      'tools/call': (exchange, channel) => {
        held.push(exchange)
        if (held.length < 20) return
        for (const one of held.reverse()) reply(one, channel, { content: [], _meta: { for: one.tool } })
      },
    })
    const { client } = connect(server, { url: server.url })
    const tools = Array.from({ length: 20 }, (_, index) => `tool ${index}`)
    const results = await Promise.all(tools.map((tool) => client.callTool(tool)))
    expect(results.map(({ _meta }) => Object(_meta).for)).toEqual(tools)
  })

  it('is told by a notification what is no longer wanted', async () => {
    const server = await channelServer({ 'tools/call': () => undefined })
    const { client } = connect(server, { url: server.url })
    expect(await failureOf(client.callTool('slow', {}, { timeoutMs: 100 }))).toMatchObject({
      name: 'TimeoutError',
    })
    const { params } = await server.exchange('notifications/cancelled')
    expect(params.requestId).toBe((await server.exchange('tools/call')).message.id)
  })

  it.each(['end', 'cut'] as const)(
    'whose channel is lost (%s) is gone, and all that waited fails',
    async (how) => {
      const server = await channelServer({
        'tools/call': () => undefined,
        'resources/subscribe': replies({}),
      })
      const { client } = connect(server, { url: server.url })
      const subscription = await client.listen({ resourceSubscriptions: ['a:///1'] })
      const failures = [client.callTool('slow'), client.listTools()].map(failureOf)
      const reading = failureOf(subscription[Symbol.asyncIterator]().next())
      await server.exchange('tools/call')
      const channel = await server.channel()
      channel[how]()
      for (const failure of await Promise.all([...failures, reading]))
        expect(failure).toMatchObject({ name: 'HttpError' })
      expect(await failureOf(client.callTool('echo'))).toMatchObject({ name: 'HttpError' })
    },
  )

  it('loses its channel when the client closes', async () => {
    const server = await channelServer()
    const { client } = connect(server, { url: server.url })
    await client.era()
    const { left } = await server.exchange('GET')
    await client.close()
    await left
    expect(server.count('DELETE')).toBe(0)
  })
})

describe('an endpoint', () => {
  it.each([
    ['whole', (port: number) => `http://127.0.0.1:${port}/post?session=2`],
    ['relative', () => 'post?session=2'],
  ])('may be %s, as long as it is of the same origin', async (_, endpointOf) => {
    const server = await bare({
      GET: (exchange) => exchange.stream().raw(`event: endpoint\ndata: ${endpointOf(server.port)}\n\n`),
    })
    const { client } = connect(server, { url: server.url, requestTimeoutMs: 300 })
    await failureOf(client.era())
    expect(server.seen.at(-1)).toMatchObject({ verb: 'POST', url: '/post?session=2' })
  })

  it('elsewhere is refused, and nothing is sent there', async () => {
    const other = await bare({})
    const server = await channelServer({}, { endpoint: other.url })
    const { client } = connect(server, { url: server.url, headers: { authorization: 'secret' } })
    const failure = await failureOf(client.era())
    expect(failure).toMatchObject({ name: 'HttpError', message: expect.stringContaining('its own origin') })
    expect(other.seen).toEqual([])
  })

  it.each<readonly [string, (exchange: BareExchange) => unknown, object]>([
    ['is never named', (exchange) => exchange.stream(), { message: expect.stringContaining('300 ms') }],
    [
      'is not named before the end',
      (exchange) => exchange.stream().end(),
      { name: 'HttpError', status: 200 },
    ],
    ['is behind a wall', (exchange) => exchange.send(401), { name: 'AuthorizationError', status: 401 }],
    ['is out of order', (exchange) => exchange.send(503), { name: 'HttpError', status: 503 }],
  ])('that %s ends the connection with the reason', async (_, get, failure) => {
    const server = await channelServer({}, { get })
    const { client } = connect(server, { url: server.url, connectTimeoutMs: 300 })
    expect(await failureOf(client.era())).toMatchObject(failure)
    expect(await client.probeReport()).toMatchObject({ verdict: 'undecided', failure })
  })
})
