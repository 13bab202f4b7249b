import { describe, expect, it } from 'vitest'
import { TimeoutError } from '../../../src/errors.ts'
import { FakeTransport } from '../../../src/testing/index.ts'
import { asking, Host } from '../harness.ts'

const elicit = { method: 'elicitation/create', params: { message: 'Who?' } }
const legacy = (options = {}, answers = {}) => Host.ready(FakeTransport.legacy({ answers }), options)

describe('a request of a legacy server', () => {
  it('ping is answered, also before the handshake is over', async () => {
    const host = await Host.ready(FakeTransport.legacy({ answers: { initialize: 'silence' } }))
    expect(await host.transport.ask({ method: 'ping' })).toEqual({ jsonrpc: '2.0', id: 's1', result: {} })
  })

  it.each([
    ['elicitation/create', 'elicit', { action: 'accept', content: { name: 'Ada' } }],
    ['sampling/createMessage', 'sample', { role: 'assistant', content: [], model: 'm' }],
    ['roots/list', 'listRoots', { roots: [{ uri: 'file:///a' }] }],
  ])('%s is answered by its hook, under its own id', async (method, hook, body) => {
    const host = await legacy(asking)
    const answer = host.transport.ask({ method, params: { a: 1 }, id: 7 })
    expect(host.desk.asked).toMatchObject([{ hook, method, params: { a: 1 }, call: undefined }])
    host.desk.asked[0]?.resolve(body)
    expect(await answer).toEqual({ jsonrpc: '2.0', id: 7, result: body })
  })

  it('gets an accepted form filled with its schema’s defaults', async () => {
    const host = await legacy(asking)
    const requestedSchema = { properties: { name: { type: 'string', default: 'Ada' } } }
    const answer = host.transport.ask({ method: 'elicitation/create', params: { requestedSchema } })
    host.desk.asked[0]?.resolve({ action: 'accept' })
    expect(await answer).toMatchObject({ result: { action: 'accept', content: { name: 'Ada' } } })
  })

  it.each([
    ['elicitation/create', {}, -32602],
    ['sampling/createMessage', {}, -32601],
    ['roots/list', {}, -32601],
    ['nobody/knows', asking, -32601],
  ])('%s is refused when it was not declared', async (method, options, code) => {
    const host = await legacy(options)
    expect(await host.transport.ask({ method })).toMatchObject({ error: { code } })
    expect(host.desk.asked).toEqual([])
  })

  it('in a mode that was not declared is refused', async () => {
    const host = await legacy(asking)
    const answer = await host.transport.ask({
      method: 'elicitation/create',
      params: { mode: 'url', url: 'x' },
    })
    expect(answer).toMatchObject({ error: { code: -32602 } })
  })

  it.each([
    ['elicitation/create', { result: { action: 'decline' } }],
    ['roots/list', { result: { roots: [] } }],
    ['sampling/createMessage', { error: { code: -1 } }],
  ])('%s is declined when its hook throws or returns nothing', async (method, answer) => {
    for (const fail of ['throws', 'returns nothing']) {
      const host = await legacy(asking)
      const asked = host.transport.ask({ method })
      if (fail === 'throws') host.desk.asked[0]?.reject(new Error('broken'))
      else host.desk.asked[0]?.resolve(undefined)
      expect(await asked).toMatchObject(answer)
      expect(host.warnings).toHaveLength(1)
    }
  })

  it('that is taken back is withdrawn from its hook, and not answered', async () => {
    const host = await legacy(asking)
    void host.transport.ask({ ...elicit, id: 'q' })
    host.transport.push({ method: 'notifications/cancelled', params: { requestId: 'q' } })
    await host.clock.settle()
    expect(host.desk.withdrawn).toEqual([host.desk.asked[0]?.id])
    expect(host.transport.sent.filter(({ method }) => method === undefined)).toEqual([])
    expect(host.warnings).toEqual([])
    expect(host.state).toEqual({ legacy: 'ready' })
  })

  it('under an id that is still open is refused', async () => {
    const host = await legacy(asking)
    const first = host.transport.ask({ ...elicit, id: 'q' })
    host.transport.raw({ jsonrpc: '2.0', id: 'q', ...elicit })
    expect(await first).toMatchObject({ error: { code: -32600 } })
    expect(host.desk.asked).toHaveLength(1)
  })

  it('stops the time of every call under way, and lets it go on with what was left', async () => {
    const host = await legacy({ ...asking, requestTimeoutMs: 100 }, { 'tools/call': 'silence' })
    const calls = [host.call('tools/call', { name: 'a' }), host.call('tools/call', { name: 'b' })]
    await host.clock.advanceAsync(60)
    void host.transport.ask(elicit)
    expect(host.state).toEqual({ legacy: 'inputRequired' })
    await host.clock.advanceAsync(1_000_000)
    host.desk.asked[0]?.resolve({ action: 'cancel' })
    await host.clock.advanceAsync(39)
    expect(host.of('failure')).toEqual([])
    expect(host.state).toEqual({ legacy: 'ready' })
    await host.clock.advanceAsync(1)
    for (const { answer } of calls) await expect(answer).rejects.toBeInstanceOf(TimeoutError)
  })

  it.each([
    [
      'was asked',
      (deep: unknown) => ({ requestedSchema: { properties: { a: { default: deep } } } }),
      () => ({ action: 'accept' }),
    ],
    ['is answered', () => ({}), (deep: unknown) => ({ action: 'accept', content: { deep } })],
  ])('too deep to be answered as it %s is refused, and no time stands still', async (_, params, answer) => {
    const host = await legacy({ ...asking, requestTimeoutMs: 100 }, { 'tools/call': 'silence' })
    const call = host.call('tools/call', { name: 'a' })
    const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
    host.transport.wire.message({ jsonrpc: '2.0', id: 'q', ...elicit, params: params(deep) }, '')
    host.desk.asked[0]?.resolve(answer(deep))
    await host.clock.settle()
    const { id, error, result } = host.transport.sent.at(-1) ?? {}
    expect({ id, answer: error ?? result }).toEqual({ id: 'q', answer: expect.anything() })
    expect(host.state).toEqual({ legacy: 'ready' })
    await host.clock.advanceAsync(100)
    await expect(call.answer).rejects.toBeInstanceOf(TimeoutError)
  })

  it('is not repeated in full by its refusal', async () => {
    const host = await legacy()
    const { error } = await host.transport.ask({ method: 'm'.repeat(1_000_000) })
    expect(JSON.stringify(error).length).toBeLessThan(300)
  })

  it('is withdrawn at once when the connection ends', async () => {
    const host = await legacy(asking)
    void host.transport.ask(elicit)
    host.transport.die()
    expect(host.desk.withdrawn).toHaveLength(1)
    await host.connection.ended
  })
})

describe('a request of a modern server', () => {
  it('is dropped with a warning: it must embed its questions', async () => {
    const host = await Host.ready(FakeTransport.modern(), asking)
    void host.transport.ask(elicit)
    void host.transport.ask({ method: 'ping' })
    await host.clock.settle()
    expect(host.desk.asked).toEqual([])
    expect(host.transport.sent).toHaveLength(1)
    expect(host.warnings[0]).toBe('a request of a modern server was dropped: elicitation/create')
  })
})
