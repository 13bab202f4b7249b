import { describe, expect, it } from 'vitest'
import { CancelledError, InputLoopExceededError, TimeoutError } from '../../../src/errors.ts'
import { type FakeAnswer, FakeTransport } from '../../../src/testing/index.ts'
import { asking, Host } from '../harness.ts'

const done = { content: [{ type: 'text', text: 'done' }] }
const form = { method: 'elicitation/create', params: { message: 'Who?' } }
const asks = (state?: string, inputRequests: object = { who: form }) => ({
  resultType: 'input_required',
  inputRequests,
  ...(state !== undefined && { requestState: state }),
})
const parks = (requestState: string) => ({ resultType: 'input_required', requestState })

async function hostOf(answer: FakeAnswer, options = {}): Promise<Host> {
  return Host.ready(FakeTransport.modern({ answers: { 'tools/call': answer } }), { ...asking, ...options })
}

describe('a call that is asked for input', () => {
  it('is retried under a fresh id with the answers and the latest state, byte for byte', async () => {
    const host = await hostOf([asks('s\u2028"1"'), asks(undefined, { again: form }), done])
    const call = host.call('tools/call', { name: 'ask', arguments: { a: 1 } }, { meta: '"x":1' })
    await host.clock.settle()
    expect(host.state).toEqual({ modern: 'inputRequired' })
    host.desk.asked[0]?.resolve({ action: 'accept', content: { name: 'Ada' } })
    await host.clock.settle()
    host.desk.asked[1]?.resolve({ action: 'decline' })
    expect(await call.answer).toEqual(done)
    expect(host.state).toEqual({ modern: 'ready' })
    const [first, second, third] = host.transport.sentOf('tools/call')
    expect(new Set([first?.id, second?.id, third?.id]).size).toBe(3)
    expect(second?.params).toEqual({
      ...first?.params,
      inputResponses: { who: { action: 'accept', content: { name: 'Ada' } } },
      requestState: 's\u2028"1"',
    })
    expect(third?.params).toEqual({ ...first?.params, inputResponses: { again: { action: 'decline' } } })
    expect(host.clock.pending).toBe(0)
  })

  it('puts all its questions at once, each to its hook, with the call they belong to', async () => {
    const questions = {
      a: form,
      b: { method: 'sampling/createMessage', params: { maxTokens: 1 } },
      c: { method: 'roots/list' },
      d: { method: 'nobody/knows' },
    }
    const host = await hostOf([asks('s', questions), done])
    const call = host.call('tools/call', { name: 'ask' })
    await host.clock.settle()
    expect(host.desk.asked.map(({ hook, method, call: id }) => [hook, method, id])).toEqual([
      ['elicit', 'elicitation/create', call.id],
      ['sample', 'sampling/createMessage', call.id],
      ['listRoots', 'roots/list', call.id],
    ])
    host.desk.asked[0]?.reject(new Error('broken'))
    host.desk.asked[1]?.reject(new Error('broken'))
    host.desk.asked[2]?.resolve(undefined)
    await call.answer
    expect(host.transport.sentOf('tools/call')[1]?.params).toMatchObject({
      inputResponses: { a: { action: 'decline' }, c: { roots: [] } },
    })
    expect(host.warnings).toHaveLength(3)
  })

  it('stops its server’s time while a person thinks', async () => {
    const host = await hostOf([asks(), 'silence'], { requestTimeoutMs: 100 })
    const call = host.call('tools/call', { name: 'ask' })
    await host.clock.settle()
    await host.clock.advanceAsync(1_000_000)
    expect(host.of('failure')).toEqual([])
    host.desk.asked[0]?.resolve({ action: 'cancel' })
    await host.clock.advanceAsync(99)
    expect(host.of('failure')).toEqual([])
    await host.clock.advanceAsync(1)
    await expect(call.answer).rejects.toBeInstanceOf(TimeoutError)
    expect(host.state).toEqual({ modern: 'ready' })
  })

  it('may still be capped in total: the question is withdrawn, nothing is left', async () => {
    const host = await hostOf([asks(), done], { maxTotalTimeoutMs: 500 })
    const call = host.call('tools/call', { name: 'ask' })
    await host.clock.settle()
    await host.clock.advanceAsync(500)
    await expect(call.answer).rejects.toMatchObject({ timeoutMs: 500 })
    expect(host.desk.withdrawn).toEqual([host.desk.asked[0]?.id])
    await host.clock.settle()
    expect(host.state).toEqual({ modern: 'ready' })
    expect(host.clock.pending).toBe(0)
    expect(host.transport.sentOf('tools/call')).toHaveLength(1)
  })

  it('that the host gives up meanwhile withdraws its question, and is not retried', async () => {
    const host = await hostOf([asks(), done])
    const call = host.call('tools/call', { name: 'ask' })
    await host.clock.settle()
    host.cancel(call)
    await expect(call.answer).rejects.toBeInstanceOf(CancelledError)
    await host.clock.settle()
    expect(host.desk.withdrawn).toHaveLength(1)
    expect(host.state).toEqual({ modern: 'ready' })
    expect(host.clock.pending).toBe(0)
    expect(host.transport.sentOf('tools/call')).toHaveLength(1)
    expect(host.transport.sentOf('notifications/cancelled')).toEqual([])
    expect(host.warnings).toEqual([])
  })

  it('that is given up during its retry tells the server which request', async () => {
    const host = await hostOf([parks('s'), 'silence'])
    const call = host.call('tools/call', { name: 'ask' })
    await host.clock.advanceAsync(100)
    host.cancel(call)
    await host.clock.settle()
    const retry = host.transport.sentOf('tools/call')[1]
    expect(host.transport.sentOf('notifications/cancelled').map(({ params }) => params.requestId)).toEqual([
      retry?.id,
    ])
    expect(host.state).toEqual({ modern: 'ready' })
  })

  it('more than maxInputRounds times fails, and says how often', async () => {
    const host = await hostOf((request) => asks(String(request.id)), { maxInputRounds: 3 })
    const call = host.call('tools/call', { name: 'ask' })
    for (let round = 0; round < 3; round++) {
      await host.clock.settle()
      host.desk.asked[round]?.resolve({ action: 'cancel' })
    }
    await expect(call.answer).rejects.toMatchObject({
      constructor: InputLoopExceededError,
      method: 'tools/call',
      rounds: 3,
    })
    expect(host.desk.asked).toHaveLength(3)
    expect(host.transport.sentOf('tools/call')).toHaveLength(4)
    expect(host.clock.pending).toBe(0)
  })

  it('by state alone is retried after a pause that doubles, without answers', async () => {
    const host = await hostOf([parks('1'), parks('2'), done])
    const call = host.call('tools/call', { name: 'ask' })
    await host.clock.advanceAsync(99)
    expect(host.transport.sentOf('tools/call')).toHaveLength(1)
    await host.clock.advanceAsync(1)
    await host.clock.advanceAsync(199)
    expect(host.transport.sentOf('tools/call')).toHaveLength(2)
    await host.clock.advanceAsync(1)
    await call.answer
    expect(
      host.transport.sentOf('tools/call').map(({ params }) => [params.requestState, params.inputResponses]),
    ).toEqual([
      [undefined, undefined],
      ['1', undefined],
      ['2', undefined],
    ])
  })

  it.each([
    ['an error', { error: { code: -32602, message: 'no' } }, { name: 'ProtocolError', code: -32602 }],
    ['nonsense', { resultType: 'hologram' }, { name: 'InvalidResultError' }],
    ['no content', { resultType: 'complete' }, { name: 'InvalidResultError' }],
  ])('fails when its retry is answered with %s', async (_name, reply, failure) => {
    const host = await hostOf([parks('1'), reply])
    const call = host.call('tools/call', { name: 'ask' })
    await host.clock.advanceAsync(100)
    await expect(call.answer).rejects.toMatchObject(failure)
    expect(host.state).toEqual({ modern: 'ready' })
  })
})

describe('asking for input', () => {
  it('is refused where the protocol does not allow it', async () => {
    const transport = FakeTransport.modern({
      answers: { 'completion/complete': asks(), 'tools/list': asks() },
    })
    const host = await Host.ready(transport, asking)
    await expect(host.call('completion/complete').answer).rejects.toThrow(
      'completion/complete must not ask for input',
    )
    await expect(host.list('tools/list').answer).rejects.toThrow('a list cannot ask for input')
    expect(host.desk.asked).toEqual([])
  })

  it('goes on beside other calls', async () => {
    const answers = { 'tools/call': [asks(), done], 'prompts/get': { messages: [] } }
    const host = await Host.ready(FakeTransport.modern({ answers }), asking)
    const call = host.call('tools/call', { name: 'ask' })
    await host.clock.settle()
    expect(await host.call('prompts/get', { name: 'p' }).answer).toEqual({ messages: [] })
    host.desk.asked[0]?.resolve({ action: 'cancel' })
    expect(await call.answer).toEqual(done)
  })

  it('is withdrawn at once when the connection is closed, however long closing takes', async () => {
    const transport = FakeTransport.modern({
      answers: { 'tools/call': asks() },
      close: () => new Promise<void>(() => {}),
    })
    const host = await Host.ready(transport, asking)
    host.call('tools/call', { name: 'ask' })
    await host.clock.settle()
    void host.connection.close()
    await host.clock.settle()
    expect(host.state).toBe('closing')
    expect(host.desk.withdrawn).toEqual([host.desk.asked[0]?.id])
  })
})
