import { describe, expect, it, onTestFinished } from 'vitest'
import type { Progress } from '../../../src/index.ts'
import { startRechunk } from '../../fixtures/proxies/rechunk.ts'
import { failureOf, textOf } from '../harness.ts'
import { type BareExchange, type BareServer, said } from './bare.ts'
import { buffering } from './buffering.ts'
import { channelServer, replies } from './channel.ts'
import { connect } from './harness.ts'
import { legacy } from './legacy.ts'
import { modern } from './modern.ts'

const tokenOf = ({ params }: BareExchange) => Object(params._meta).progressToken
const awkward = 'ä🎭\u2028 \r\n end'

/** Progress, and an answer that is awkward to cut into pieces. */
const counts = (exchange: BareExchange, end = '\n') => {
  const messages = [1, 2].map((progress) => ({
    method: 'notifications/progress',
    params: { progressToken: tokenOf(exchange), progress },
  }))
  const all = [...messages, { id: exchange.message.id, result: said(awkward) }]
  const lines = all.map((message) => [
    'event: message',
    `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}`,
  ])
  const text = [':hello', ...lines.flatMap((event) => [...event, ''])].join(end) + end
  exchange.stream().raw(text).end()
}

async function bytewise(server: BareServer): Promise<string> {
  const proxy = await startRechunk(server.port, 'bytes')
  onTestFinished(() => proxy.close())
  return `http://127.0.0.1:${proxy.port}/mcp`
}

const report = (to: number[]) => ({ onProgress: ({ progress }: Progress) => to.push(progress) })

describe('a line that delivers single bytes', () => {
  it.each([
    ['LF', '\n'],
    ['CR', '\r'],
    ['CRLF', '\r\n'],
  ])('and a server of 2026 that ends its lines with %s', async (_, end) => {
    const server = await modern({ 'tools/call': (exchange) => counts(exchange, end) })
    const { client, warnings } = connect(server, { url: await bytewise(server) })
    const progress: number[] = []
    expect(textOf(await client.callTool('count', {}, report(progress)))).toBe(awkward)
    expect(progress).toEqual([1, 2])
    expect(warnings.all).toEqual([])
  })

  it('and a session', async () => {
    const server = await legacy({ 'tools/call': counts })
    const { client } = connect(server, { url: await bytewise(server) })
    const subscription = await client.listen({ toolsListChanged: true })
    const stream = await server.stream()
    stream.notify('notifications/tools/list_changed')
    expect((await subscription[Symbol.asyncIterator]().next()).done).toBe(false)
    expect(textOf(await client.callTool('count'))).toBe(awkward)
  })

  it('and HTTP+SSE', async () => {
    const server = await channelServer({ 'tools/call': replies(said(awkward)) })
    const { client } = connect(server, { url: await bytewise(server) })
    expect(textOf(await client.callTool('echo'))).toBe(awkward)
  })
})

describe('a gateway that keeps everything until it is whole', () => {
  it('delays what a call reports, and not its answer', async () => {
    const server = await modern({ 'tools/call': counts })
    const gateway = await buffering(server)
    const { client, warnings } = connect(gateway, { url: gateway.url })
    const progress: number[] = []
    expect(textOf(await client.callTool('count', {}, report(progress)))).toBe(awkward)
    expect(progress).toEqual([1, 2])
    expect(warnings.all).toEqual([])
  })

  it('lets nobody listen, and says so in time', async () => {
    const server = await modern({
      'subscriptions/listen': (exchange) =>
        exchange.stream().notify('notifications/subscriptions/acknowledged'),
    })
    const gateway = await buffering(server)
    const { client } = connect(gateway, { url: gateway.url, requestTimeoutMs: 300 })
    expect(await failureOf(client.listen({}))).toMatchObject({ name: 'TimeoutError' })
    expect(textOf(await client.callTool('echo'))).toBe('echo was called')
  })

  it('keeps the stream of a session to itself, and the session works without', async () => {
    const server = await legacy({ 'tools/call': counts })
    const gateway = await buffering(server)
    const { client } = connect(gateway, { url: gateway.url })
    const results = await Promise.all(['a', 'b'].map((tool) => client.callTool(tool)))
    expect(results.map(textOf)).toEqual([awkward, awkward])
    await client.close()
    expect(server.count('DELETE')).toBe(1)
  })
})

describe('a connection that breaks', () => {
  it.each(['json', 'stream'])(
    'at any byte of an answer as %s fails its call, once, and no other',
    async (how) => {
      const server = await modern({
        'tools/call': (exchange) => {
          const { message, response, params } = exchange
          const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: said('x'.repeat(100)) })
          const event = `data: ${body}\n\n`
          const answer = {
            json: `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
            stream: `content-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n${event.length.toString(16)}\r\n${event}\r\n0\r\n\r\n`,
          }[how]
          const { at } = Object(params.arguments)
          const whole = `HTTP/1.1 200 OK\r\n${answer}`
          const bytes = at === 'end' ? whole : whole.slice(0, at)
          response.socket?.write(bytes, () => at === 'end' || response.socket?.destroy())
        },
      })
      const { client } = connect(server, { url: server.url })
      await client.era()
      const cuts = Array.from({ length: 40 }, (_, index) => index * 5)
      const calls = cuts.map((at) => failureOf(client.callTool('cut', { at })))
      const whole = client.callTool('whole', { at: 'end' })
      for (const failure of await Promise.all(calls))
        expect(failure).toMatchObject({ name: 'HttpError', status: 0 })
      expect(textOf(await whole)).toHaveLength(100)
      expect(server.count('tools/call')).toBe(41)
      expect(client.state.value).toEqual({ modern: 'ready' })
    },
  )
})
