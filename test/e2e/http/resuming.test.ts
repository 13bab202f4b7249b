import { describe, expect, it } from 'vitest'
import type { Progress } from '../../../src/index.ts'
import { failureOf, textOf } from '../harness.ts'
import { type BareExchange, said } from './bare.ts'
import { connect } from './harness.ts'
import { legacy } from './legacy.ts'

const isResumption = ({ headers }: BareExchange) => headers['last-event-id'] !== undefined

/** The events of one call: where the stream stands, progress, the answer. Their ids name the call. */
function eventsOf(exchange: BareExchange): readonly string[] {
  const { id } = exchange.message
  const { progressToken } = Object(exchange.params._meta)
  const messages = [
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 1 } },
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 2 } },
    { jsonrpc: '2.0', id, result: said(`the answer to ${exchange.tool}`) },
  ]
  const data = ['', ...messages.map((message) => JSON.stringify(message))]
  return data.map((text, index) => `id: ${id}/${index}\nretry: 10\ndata: ${text}\n\n`)
}

/** A server that keeps its events. `stop` decides how much of a stream comes before it is lost, and how. */
async function keepsEvents(stop: (exchange: BareExchange, events: readonly string[]) => void) {
  const kept = new Map<string, readonly string[]>()
  const server = await legacy({
    'tools/call': (exchange) => {
      const events = eventsOf(exchange)
      kept.set(String(exchange.message.id), events)
      stop(exchange, events)
    },
    GET: (exchange) => {
      const [call = '', index] = String(exchange.headers['last-event-id'] ?? '').split('/')
      const events = kept.get(call)
      const lines = exchange.stream()
      if (events) lines.raw(events.slice(Number(index) + 1).join('')).end()
    },
  })
  return server
}

const report = (to: number[]) => ({ onProgress: ({ progress }: Progress) => to.push(progress) })

describe('a legacy stream that is lost', () => {
  it('is resumed after the last event that came, and its call answered once', async () => {
    const server = await keepsEvents((exchange, events) =>
      exchange.stream().raw(events.slice(0, 2).join('')).cut(),
    )
    const { client, warnings } = connect(server, { url: server.url })
    const progress: number[] = []
    expect(textOf(await client.callTool('long', {}, report(progress)))).toBe('the answer to long')
    expect(progress).toEqual([1, 2])
    const resumption = await server.exchange(isResumption)
    const call = await server.exchange('tools/call')
    expect(resumption.headers['last-event-id']).toBe(`${call.message.id}/1`)
    expect([server.count('tools/call'), server.seen.filter(isResumption).length]).toEqual([1, 1])
    expect(warnings.all).toEqual([])
  })

  it('at any byte loses nothing and repeats nothing', async () => {
    const server = await keepsEvents((exchange, events) => {
      const { at } = Object(exchange.params.arguments)
      exchange.stream().raw(events.join('').slice(0, at)).cut()
    })
    const { client } = connect(server, { url: server.url })
    await client.era()
    const calls = Array.from({ length: 60 }, async (_, index) => {
      // From the end of the first event to that of the last.
      const at = 30 + index * 7
      const progress: number[] = []
      const result = await client.callTool('part', { at }, report(progress))
      return [textOf(result), progress]
    })
    expect(await Promise.all(calls)).toEqual(Array(60).fill(['the answer to part', [1, 2]]))
    expect(server.count('tools/call')).toBe(60)
  })

  it('before it named an event fails its call, which is not repeated', async () => {
    const server = await keepsEvents((exchange, events) =>
      exchange
        .stream()
        .raw(`${events[0]?.replace(/^id: .*\n/, '')}id: half`)
        .cut(),
    )
    const { client } = connect(server, { url: server.url })
    expect(await failureOf(client.callTool('cut'))).toMatchObject({ name: 'HttpError', status: 0 })
    expect(server.count('tools/call')).toBe(1)
  })

  it('within an event is resumed before that event', async () => {
    let text = ''
    const server = await legacy({
      'tools/call': (exchange) => {
        text = JSON.stringify({ jsonrpc: '2.0', id: exchange.message.id, result: said('whole') })
        exchange
          .stream()
          .raw(`id: 1\nretry: 10\ndata:\n\nid: 2\ndata: ${text.slice(0, 20)}`)
          .end()
      },
      GET: (exchange) => {
        const lines = exchange.stream()
        if (exchange.headers['last-event-id'] === '1') lines.raw(`id: 2\ndata: ${text}\n\n`)
      },
    })
    const { client } = connect(server, { url: server.url })
    expect(textOf(await client.callTool('part'))).toBe('whole')
  })

  it('again and again is resumed again and again', async () => {
    let waits = 0
    const server = await legacy({
      'tools/call': (exchange) => exchange.stream().raw('id: 0\nretry: 10\ndata:\n\n').end(),
      GET: (exchange) => {
        const lines = exchange.stream()
        const last = exchange.headers['last-event-id']
        if (last === undefined) return
        expect(last).toBe(String(waits))
        waits += 1
        lines.raw(`id: ${waits}\ndata:\n\n`)
        if (waits < 5) return lines.cut()
        const { id } = server.seen.find(({ name }) => name === 'tools/call')?.message ?? {}
        lines.message({ id, result: said('at last') })
      },
    })
    const { client } = connect(server, { url: server.url })
    expect(textOf(await client.callTool('poll'))).toBe('at last')
    expect([waits, server.count('tools/call')]).toEqual([5, 1])
  })

  it('is not resumed for a call that was given up', async () => {
    const server = await keepsEvents((exchange, [first = '']) => exchange.stream().raw(first).cut())
    const { client } = connect(server, { url: server.url })
    const abort = new AbortController()
    const call = failureOf(client.callTool('long', {}, { signal: abort.signal }))
    await server.exchange('tools/call')
    abort.abort()
    expect(await call).toMatchObject({ name: 'CancelledError' })
    await server.exchange('notifications/cancelled')
    expect(await client.ping()).toBe(true)
    expect(server.seen.filter(isResumption)).toEqual([])
  })
})

describe('a stream that cannot be resumed', () => {
  it.each([
    [404, 'Session not found'],
    [400, 'unknown event'],
    [405, ''],
  ])('because of %i fails its call', async (status, body) => {
    const server = await legacy({
      'tools/call': (exchange) => exchange.stream().raw('id: 0\nretry: 10\ndata:\n\n').end(),
      GET: (exchange) => {
        if (!isResumption(exchange)) return exchange.stream()
        if (status === 404) server.forget()
        exchange.send(status, body)
      },
    })
    const { client } = connect(server, { url: server.url })
    expect(await failureOf(client.callTool('long'))).toMatchObject({ name: 'HttpError', status })
    expect(server.count('tools/call')).toBe(1)
  })
})
