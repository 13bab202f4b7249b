import { describe, expect, it } from 'vitest'
import type { McpClient } from '../../../src/index.ts'
import { failureOf, hostings, textOf } from '../harness.ts'
import { type BareExchange, said } from './bare.ts'
import { connect } from './harness.ts'
import { legacy } from './legacy.ts'

const filter = { resourceSubscriptions: ['a:///1'] }
const names = (seen: readonly BareExchange[]) => seen.map(({ name }) => name)

describe.each(hostings)('a session that dies (%s)', (hosting) => {
  it('is begun again once, though many calls were refused, and each of those is answered once', async () => {
    const executed: unknown[] = []
    const server = await legacy({
      'tools/call': (exchange) => {
        executed.push(exchange.tool)
        exchange.answer(said(`${exchange.tool} was called`))
      },
    })
    const { client, warnings } = connect(server, { url: server.url, hosting })
    await client.callTool('before')
    server.forget()
    const tools = Array.from({ length: 50 }, (_, index) => `tool ${index}`)
    const results = await Promise.all(tools.map((tool) => client.callTool(tool)))
    expect(results.map(textOf)).toEqual(tools.map((tool) => `${tool} was called`))
    expect(executed.sort()).toEqual(['before', ...tools].sort())
    expect(server.sessions).toHaveLength(2)
    expect(server.count('notifications/initialized')).toBe(2)
    expect(client.state).toMatchObject({ value: { legacy: 'ready' }, context: { stream: 'open' } })
    expect(warnings.all).toEqual([])
  })

  it('never has a call repeated that the server may have executed', async () => {
    const held: BareExchange[] = []
    const server = await legacy({
      'tools/call': (exchange) => {
        if (exchange.tool === 'slow') held.push(exchange)
        else exchange.answer(said('done'))
      },
    })
    const { client } = connect(server, { url: server.url, hosting })
    const slow = client.callTool('slow')
    const cut = failureOf(client.callTool('slow'))
    await server.exchange(({ tool }) => tool === 'slow', 1)
    server.forget()
    expect(textOf(await client.callTool('quick'))).toBe('done')
    held[0]?.answer(said('slow, but only once'))
    held[1]?.response.destroy()
    expect(textOf(await slow)).toBe('slow, but only once')
    expect(await cut).toMatchObject({ name: 'HttpError', status: 0 })
    expect(held).toHaveLength(2)
  })

  it('is told everything again that was told the old one', async () => {
    const taken = (exchange: BareExchange) => exchange.answer({})
    const server = await legacy({
      'logging/setLevel': taken,
      'resources/subscribe': taken,
      'resources/unsubscribe': taken,
    })
    const { client } = connect(server, { url: server.url, hosting, logLevel: 'info' })
    const kept = await client.listen({ resourceSubscriptions: ['a:///1', 'a:///2'] })
    const given = await client.listen({ resourceSubscriptions: ['a:///3'] })
    expect(await client.setLogLevel('error')).toBe(true)
    await given.close()
    await server.exchange('resources/unsubscribe')
    server.forget()
    await client.callTool('echo')
    const stream = await server.stream(1)
    stream.notify('notifications/resources/updated', { uri: 'a:///2' })
    expect((await kept[Symbol.asyncIterator]().next()).value).toMatchObject({ params: { uri: 'a:///2' } })
    const again = server.seen.slice(names(server.seen).lastIndexOf('initialize'))
    const told = again.filter(({ name }) => name === 'logging/setLevel' || name === 'resources/subscribe')
    expect(told.map(({ params }) => params.level ?? params.uri).sort()).toEqual(['a:///1', 'a:///2', 'error'])
  })

  it.each<readonly [string, (client: McpClient) => Promise<unknown>, unknown]>([
    ['a list', (client) => client.listTools(), []],
    ['a level', (client) => client.setLogLevel('error'), true],
    ['a subscription', async (client) => (await client.listen(filter)).honoured, filter],
    ['a resource', (client) => client.readResource('a:///1'), { contents: [] }],
    ['a ping', (client) => client.ping(), true],
  ])('is noticed by %s, which is repeated', async (_, use, outcome) => {
    const server = await legacy({
      'tools/list': (exchange) => exchange.answer({ tools: [] }),
      'resources/read': (exchange) => exchange.answer({ contents: [] }),
      'resources/subscribe': (exchange) => exchange.answer({}),
      'logging/setLevel': (exchange) => exchange.answer({}),
    })
    const { client, warnings } = connect(server, { url: server.url, hosting })
    await client.era()
    await server.stream()
    server.forget()
    expect(await use(client)).toEqual(outcome)
    expect(server.sessions).toHaveLength(2)
    expect(warnings.all).toEqual([])
  })

  it('is noticed by the stream that comes back, and begun again unasked', async () => {
    const server = await legacy()
    const { client } = connect(server, { url: server.url, hosting })
    await client.era()
    const stream = await server.stream()
    server.forget()
    stream.raw('retry: 10\n\n').end()
    await server.stream(1)
    expect(textOf(await client.callTool('echo'))).toBe('echo was called')
    expect(server.sessions).toHaveLength(2)
  })
})

describe('a session that dies', () => {
  it('again while the call is repeated lets that call fail, and the next one work', async () => {
    let deaths = 2
    const server = await legacy({
      'tools/call': (exchange) => {
        if (deaths-- <= 0) return exchange.answer(said('alive'))
        server.forget()
        exchange.send(404)
      },
    })
    const { client } = connect(server, { url: server.url })
    expect(await failureOf(client.callTool('echo'))).toMatchObject({ name: 'HttpError', status: 404 })
    expect(textOf(await client.callTool('echo'))).toBe('alive')
    expect(server.sessions).toHaveLength(3)
  })

  it('before its handshake was confirmed gets none of the calls that wait for that', async () => {
    const server = await legacy()
    const { client } = connect(server, { url: server.url })
    await client.era()
    server.forget()
    expect(textOf(await client.callTool('echo'))).toBe('echo was called')
    const sessions = server.seen
      .filter(({ name }) => name === 'tools/call')
      .map(({ headers }) => headers['mcp-session-id'])
    expect(sessions).toEqual(['session-2'])
  })

  it('and cannot be begun again ends the connection, with what the server said', async () => {
    const server = await legacy({}, { mostSessions: 1 })
    const { client } = connect(server, { url: server.url })
    await client.callTool('echo')
    server.forget()
    const full = { name: 'ProtocolError', code: -32000, message: 'too many sessions' }
    expect(await failureOf(client.callTool('echo'))).toMatchObject(full)
    expect(await failureOf(client.callTool('echo'))).toMatchObject(full)
    expect(client.state.context).toMatchObject({ failure: { name: 'ProtocolError' } })
  })

  it('does not die of a method that is not there, though that is 404 too', async () => {
    const server = await legacy({ 'prompts/get': (exchange) => exchange.refuse(404, -32601) })
    const { client } = connect(server, { url: server.url })
    expect(await failureOf(client.getPrompt('any'))).toMatchObject({ name: 'ProtocolError', code: -32601 })
    expect(textOf(await client.callTool('echo'))).toBe('echo was called')
    expect(server.sessions).toHaveLength(1)
  })
})
