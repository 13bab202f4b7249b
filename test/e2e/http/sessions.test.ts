import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { hostings, textOf } from '../harness.ts'
import { Heard } from '../heard.ts'
import { type BareExchange, said } from './bare.ts'
import { connect } from './harness.ts'
import { legacy } from './legacy.ts'

const elicitation = {
  method: 'elicitation/create',
  params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
}
const who = { action: 'accept', content: { who: 'Ada' } } as const
const isCall = ({ name }: BareExchange) => name === 'tools/call'
const isResponse = ({ name }: BareExchange) => name === 'response'

describe.each(hostings)('a session with a legacy server (%s)', (hosting) => {
  it('begins with a handshake, has a stream of its own, and ends with DELETE', async () => {
    const server = await legacy()
    const { client, warnings } = connect(server, { url: server.url, hosting })
    expect(textOf(await client.callTool('echo'))).toBe('echo was called')
    expect(client.state.context.stream).toBe('open')
    await client.close()
    expect(server.seen.map(({ name }) => name)).toEqual([
      'server/discover',
      'initialize',
      'notifications/initialized',
      'GET',
      'tools/call',
      'DELETE',
    ])
    expect(warnings.all).toEqual([])
  })

  it('has no stream where there is none', async () => {
    const server = await legacy({}, { hasStream: false })
    const { client } = connect(server, { url: server.url, hosting })
    expect(textOf(await client.callTool('echo'))).toBe('echo was called')
    expect(client.state.context.stream).toBe('absent')
    expect(server.count('GET')).toBe(1)
  })

  it('has no id where none was given, and so no DELETE', async () => {
    const server = await legacy({}, { hasSessions: false })
    const { client } = connect(server, { url: server.url, hosting })
    expect(textOf(await client.callTool('echo'))).toBe('echo was called')
    await client.close()
    expect(server.count('DELETE')).toBe(0)
  })

  it('brings questions on its stream, which the hooks answer', async () => {
    const server = await legacy()
    const asked = new Heard<string>()
    const onElicit = ({ method }: { readonly method: string }) => {
      asked.hear(method)
      return who
    }
    const { client } = connect(server, { url: server.url, hosting, onElicit })
    await client.era()
    const stream = await server.stream()
    for (const id of ['a', 7]) stream.message({ id, ...elicitation })
    stream.message({ id: 1, method: 'ping' }).message({ id: 'x', method: 'tools/list' })
    const answers = [0, 1, 2, 3].map((index) => server.exchange(isResponse, index))
    const byId = Object.fromEntries((await Promise.all(answers)).map(({ message }) => [message.id, message]))
    expect(byId).toMatchObject({
      a: { result: who },
      7: { result: who },
      1: { result: {} },
      x: { error: { code: -32601 } },
    })
    expect(asked.all).toEqual(Array(2).fill('elicitation/create'))
  })

  it('brings questions in the middle of a call, on its stream or on that of the call', async () => {
    const answered = new Map<unknown, (answer: JsonObject) => void>()
    const server = await legacy({
      'tools/call': async (exchange) => {
        const id = `question ${exchange.tool}`
        const answer = new Promise<JsonObject>((resolve) => answered.set(id, resolve))
        const lines = exchange.stream()
        const asking = exchange.tool === 'aside' ? await server.stream() : lines
        asking.message({ id, ...elicitation })
        lines.answer(said(JSON.stringify((await answer).result))).end()
      },
      response: ({ message, response }) => {
        response.writeHead(202).end()
        answered.get(message.id)?.(message)
      },
    })
    const { client } = connect(server, { url: server.url, hosting, onElicit: () => who })
    const calls = [client.callTool('aside'), client.callTool('within')]
    expect((await Promise.all(calls)).map(textOf)).toEqual(Array(2).fill(JSON.stringify(who)))
    expect(client.state.value).toEqual({ legacy: 'ready' })
  })

  it('brings changes on its stream, and what was listed before is asked for again', async () => {
    const server = await legacy({ 'tools/list': (exchange) => exchange.answer({ tools: [] }) })
    const { client } = connect(server, { url: server.url, hosting })
    const subscription = await client.listen({ toolsListChanged: true })
    const stream = await server.stream()
    stream.notify('notifications/resources/list_changed').notify('notifications/tools/list_changed')
    const { value } = await subscription[Symbol.asyncIterator]().next()
    expect(value).toEqual({ method: 'notifications/tools/list_changed', params: {} })
    await Promise.all([client.listTools(), client.listTools()])
    expect(server.count('tools/list')).toBe(2)
  })

  it('gets its stream back when that ends, after the pause the server asks for', async () => {
    const server = await legacy()
    const { client } = connect(server, { url: server.url, hosting })
    const states: unknown[] = []
    client.on('state', ({ context }) => states.push(context.stream))
    const subscription = await client.listen({ toolsListChanged: true })
    const first = await server.stream()
    first.raw('retry: 10\n\n').notify('notifications/tools/list_changed').end()
    const notes = subscription[Symbol.asyncIterator]()
    await notes.next()
    await server.exchange('GET', 1)
    const second = await server.stream()
    second.notify('notifications/tools/list_changed')
    expect((await notes.next()).value).toMatchObject({ method: 'notifications/tools/list_changed' })
    expect([...new Set(states)]).toEqual(expect.arrayContaining(['open', 'waiting']))
    expect(client.state.context.stream).toBe('open')
  })

  it('resumes its stream where that names its events', async () => {
    const server = await legacy()
    const { client } = connect(server, { url: server.url, hosting })
    await client.era()
    const first = await server.stream()
    first.notify('notifications/tools/list_changed', {}, 'retry: 10\nid: seven\n').cut()
    const again = await server.exchange('GET', 1)
    expect(again.headers).toMatchObject({ 'last-event-id': 'seven', accept: 'text/event-stream' })
  })

  it('is told what is no longer wanted by a notification', async () => {
    const server = await legacy({ 'tools/call': () => undefined })
    const { client } = connect(server, { url: server.url, hosting })
    const abort = new AbortController()
    const call = client.callTool('slow', {}, { signal: abort.signal }).catch((error: unknown) => error)
    const { message } = await server.exchange(isCall)
    abort.abort()
    expect(await call).toMatchObject({ name: 'CancelledError' })
    const { params } = await server.exchange('notifications/cancelled')
    expect(params).toEqual({ requestId: message.id, reason: expect.any(String) })
  })
})

describe('a session', () => {
  it('ends without a word of its own when its server does not answer DELETE', async () => {
    const server = await legacy({ DELETE: () => undefined })
    const { client, warnings } = connect(server, { url: server.url })
    await client.era()
    await client.close()
    expect(server.count('DELETE')).toBe(1)
    expect(warnings.all).toEqual([])
  })

  it('that only reads batches gets none, and understands them under 2025-03-26', async () => {
    const server = await legacy(
      {
        'tools/call': (exchange) =>
          exchange.json([
            { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'first' } },
            { jsonrpc: '2.0', id: exchange.message.id, result: said('second') },
          ]),
      },
      { version: '2025-03-26' },
    )
    const logged: unknown[] = []
    const { client } = connect(server, { url: server.url, onLog: ({ data }) => logged.push(data) })
    expect(textOf(await client.callTool('echo'))).toBe('second')
    expect(logged).toEqual(['first'])
  })
})
