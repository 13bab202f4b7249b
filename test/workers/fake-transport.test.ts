import { describe, expect, it } from 'vitest'
import { TransportClosedError } from '../../src/errors.ts'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'
import { requestText } from '../../src/protocol/requests.ts'
import { FakeTransport, type FakeTransportOptions } from '../../src/testing/index.ts'

async function opened(options: FakeTransportOptions | FakeTransport = {}) {
  const transport = options instanceof FakeTransport ? options : new FakeTransport(options)
  const received: JsonObject[] = []
  const closed: unknown[] = []
  const ignore = () => {}
  await transport.open(
    {
      message: (message) => received.push(message as JsonObject),
      closed: (failure) => closed.push(failure),
      noise: ignore,
      oversize: ignore,
      stderr: ignore,
      spawned: ignore,
      reaped: ignore,
    },
    new AbortController().signal,
  )
  let nextId = 1
  const request = (method: string, params: JsonObject = {}) => {
    const id = nextId++
    transport.send({ kind: 'request', id, method, text: requestText(id, method, JSON.stringify(params), '') })
    return id
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { transport, received, closed, request, settle }
}

describe('what a fake server answers', () => {
  it('comes after the sender went on, as parsed JSON', async () => {
    const result = { content: [], dropped: undefined }
    const { received, request, settle } = await opened({ answers: { ask: result } })
    request('ask')
    expect(received).toEqual([])
    await settle()
    expect(received).toEqual([{ jsonrpc: '2.0', id: 1, result: { content: [] } }])
    expect(received[0]?.result).not.toBe(result)
  })

  it('is an error, nothing, or what a function makes of the request', async () => {
    const answers = {
      fail: { error: { code: 7, message: 'no' } },
      wait: 'silence',
      echo: ({ params }: { params: JsonObject }) => ({ params }),
      later: async () => ({ error: { code: 8, message: 'late' } }),
      broken: () => {
        throw new Error('oops')
      },
    } as const
    const { received, request, settle } = await opened({ answers })
    for (const method of ['fail', 'wait', 'echo', 'later', 'broken', 'unknown']) request(method, { a: 1 })
    await settle()
    expect([...received].sort((a, b) => Number(a.id) - Number(b.id))).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: 7, message: 'no' } },
      { jsonrpc: '2.0', id: 3, result: { params: { a: 1 } } },
      { jsonrpc: '2.0', id: 4, error: { code: 8, message: 'late' } },
      { jsonrpc: '2.0', id: 5, error: { code: -32603, message: 'oops' } },
      { jsonrpc: '2.0', id: 6, error: { code: -32601, message: 'Method not found: unknown' } },
    ])
  })

  it('can be several things in turn, the last from then on; and can be changed', async () => {
    const { transport, received, request, settle } = await opened({ answers: { ask: [{ n: 1 }, { n: 2 }] } })
    for (let i = 0; i < 3; i++) request('ask')
    await settle()
    transport.answer('ask', { n: 9 })
    request('ask')
    await settle()
    expect(received.map(({ result }) => result)).toEqual([{ n: 1 }, { n: 2 }, { n: 2 }, { n: 9 }])
  })

  it('takes a result that happens to have an error among others for a result', async () => {
    const { received, request, settle } = await opened({ answers: { ask: { error: { code: 1 }, more: 1 } } })
    request('ask')
    await settle()
    expect(received[0]).toHaveProperty('result')
  })
})

describe('what was sent', () => {
  it('is logged, shown the moment it is sent, and waited for without asking twice', async () => {
    const seen: JsonObject[] = []
    const { transport, request } = await opened({ onSend: (message) => void seen.push(message) })
    const first = transport.nextSent('ask')
    request('ask', { n: 1 })
    request('ask', { n: 2 })
    request('other')
    expect(await first).toMatchObject({ id: 1, params: { n: 1 } })
    expect(await transport.nextSent('ask')).toMatchObject({ id: 2, params: { n: 2 } })
    expect(transport.sent).toEqual(seen)
    expect(transport.sentOf('ask')).toHaveLength(2)
  })

  it('is refused to whoever still waits when the wire ends', async () => {
    const { transport } = await opened()
    const waiting = transport.nextSent('never')
    const asking = transport.ask({ method: 'ping' })
    transport.die()
    await expect(waiting).rejects.toThrow('ended before')
    await expect(asking).rejects.toThrow('ended before')
    await expect(transport.nextSent('never')).rejects.toThrow('ended before')
  })
})

describe('a fake server', () => {
  it('speaks unasked: notifications, questions and anything else', async () => {
    const { transport, received } = await opened()
    transport.push({ method: 'note', params: { a: 1 } })
    const answer = transport.ask({ method: 'ping' })
    transport.raw([1, 'odd'])
    expect(received).toEqual([
      { jsonrpc: '2.0', method: 'note', params: { a: 1 } },
      { jsonrpc: '2.0', id: 's1', method: 'ping' },
      [1, 'odd'],
    ])
    const text = JSON.stringify({ jsonrpc: '2.0', id: 's1', result: {} })
    transport.send({ kind: 'response', id: 's1', text })
    expect(await answer).toEqual({ jsonrpc: '2.0', id: 's1', result: {} })
  })

  it('answers by hand what it kept silent about, and no notification', async () => {
    const { transport, received, request } = await opened({ answers: { ask: 'silence' } })
    request('ask')
    const sent = await transport.nextSent('ask')
    transport.respond(sent, { late: true })
    expect(received).toEqual([{ jsonrpc: '2.0', id: 1, result: { late: true } }])
    expect(() => transport.respond({ method: 'note' }, {})).toThrow('note is a notification')
  })

  it('dies once, and says and hears nothing after', async () => {
    const { transport, received, closed, request, settle } = await opened({ answers: { ask: {} } })
    request('ask')
    const failure = new TransportClosedError('gone')
    transport.die(failure)
    await settle()
    request('ask')
    await transport.close()
    expect([received, closed, transport.sent.length]).toEqual([[], [failure], 1])
    expect(() => transport.push({ method: 'note' })).toThrow('not open')
  })

  it('is closed on purpose without a failure, however often', async () => {
    const { transport, closed } = await opened()
    await transport.close()
    await transport.close()
    expect(closed).toEqual([undefined])
  })

  it('opens when its test lets it, or not at all', async () => {
    const refusal = new TransportClosedError('refused')
    await expect(opened({ open: () => Promise.reject(refusal) })).rejects.toBe(refusal)
    const abort = new AbortController()
    const opening = new FakeTransport({ open: async () => abort.abort() }).open({} as never, abort.signal)
    await expect(opening).rejects.toThrow('aborted')
  })
})

describe('the presets', () => {
  it('introduce themselves as their era does, and list nothing', async () => {
    const modern = await opened(FakeTransport.modern({ instructions: 'hi' }))
    for (const method of ['server/discover', 'initialize', 'tools/list']) modern.request(method)
    await modern.settle()
    expect(modern.received).toMatchObject([
      { result: { supportedVersions: ['2026-07-28'], instructions: 'hi' } },
      { error: { code: -32601 } },
      { result: { tools: [] } },
    ])
    const legacy = await opened(
      FakeTransport.legacy({ protocolVersion: '2025-03-26', answers: { ping: 'silence' } }),
    )
    for (const method of ['server/discover', 'initialize', 'ping']) legacy.request(method)
    await legacy.settle()
    expect(legacy.received).toMatchObject([
      { error: { code: -32601 } },
      { result: { protocolVersion: '2025-03-26', serverInfo: { name: 'fake' } } },
    ])
  })
})
