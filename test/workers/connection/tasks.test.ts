import { describe, expect, it } from 'vitest'
import { CancelledError, TimeoutError } from '../../../src/errors.ts'
import { type FakeAnswer, FakeTransport } from '../../../src/testing/index.ts'
import { asking, Host } from '../harness.ts'

const working = { resultType: 'task', taskId: 't', status: 'working', pollIntervalMs: 250 }
const get = (members: object) => ({ resultType: 'complete', taskId: 't', pollIntervalMs: 250, ...members })
const done = { content: [{ type: 'text', text: 'done' }] }
const question = { who: { method: 'elicitation/create', params: {} } }

async function taskOf(states: FakeAnswer, options = {}, answers = {}) {
  const transport = FakeTransport.modern({
    answers: {
      'tools/call': working,
      'tasks/get': states,
      'tasks/update': {},
      'tasks/cancel': {},
      ...answers,
    },
  })
  const host = await Host.ready(transport, { ...asking, tasks: true, ...options })
  const call = host.call('tools/call', { name: 'long' })
  await host.clock.settle()
  return { host, call }
}

const polls = (host: Host) => host.transport.sentOf('tasks/get').length

describe('a call that became a task', () => {
  it('is polled as often as its server says, and answered in the end', async () => {
    const { host, call } = await taskOf([
      get({ status: 'working', pollIntervalMs: 500 }),
      get({ status: 'completed', result: done }),
    ])
    expect(host.state).toEqual({ modern: 'ready' })
    await host.clock.advanceAsync(249)
    expect(polls(host)).toBe(0)
    await host.clock.advanceAsync(1)
    await host.clock.advanceAsync(499)
    expect(polls(host)).toBe(1)
    await host.clock.advanceAsync(1)
    expect(await call.answer).toEqual(done)
    expect(host.transport.sentOf('tasks/get')[0]?.params).toMatchObject({ taskId: 't' })
    expect(host.of('task').map(({ id, task }) => [id, task.status])).toEqual([
      [call.id, 'working'],
      [call.id, 'working'],
      [call.id, 'completed'],
    ])
    expect(host.clock.pending).toBe(0)
  })

  it('is answered without the bookkeeping of the protocol', async () => {
    const _meta = { mine: 1, 'io.modelcontextprotocol/serverInfo': { name: 'x', version: '1' } }
    const result = { ...done, resultType: 'complete', _meta }
    const { host, call } = await taskOf([get({ status: 'completed', result })])
    await host.clock.advanceAsync(250)
    expect(await call.answer).toEqual({ ...done, _meta: { mine: 1 } })
  })

  it('that asks is answered by the hooks, each question once', async () => {
    const asks = get({ status: 'input_required', inputRequests: question })
    const { host, call } = await taskOf([asks, asks, get({ status: 'completed', result: done })])
    await host.clock.advanceAsync(250)
    expect(host.state).toEqual({ modern: 'inputRequired' })
    host.desk.asked[0]?.resolve({ action: 'cancel' })
    await host.clock.settle()
    expect(host.transport.sentOf('tasks/update')[0]?.params).toMatchObject({
      taskId: 't',
      inputResponses: { who: { action: 'cancel' } },
    })
    expect(host.state).toEqual({ modern: 'ready' })
    await host.clock.advanceAsync(500)
    expect(await call.answer).toEqual(done)
    expect(host.desk.asked).toHaveLength(1)
    expect(host.clock.pending).toBe(0)
  })

  it.each([
    [
      'failed',
      get({ status: 'failed', error: { code: 7, message: 'no' } }),
      { name: 'ProtocolError', code: 7 },
    ],
    ['failed without a word', get({ status: 'failed' }), { name: 'ProtocolError', code: -32603 }],
    ['was cancelled', get({ status: 'cancelled' }), { constructor: CancelledError, by: 'server' }],
    ['completed with nothing', get({ status: 'completed' }), { name: 'InvalidResultError' }],
    [
      'completed with questions',
      get({ status: 'completed', result: { ...done, resultType: 'input_required', requestState: 'x' } }),
      { name: 'InvalidResultError' },
    ],
    ['is nonsense', get({ status: 'odd' }), { name: 'InvalidResultError' }],
    ['is forgotten', { error: { code: -32602, message: 'no such task' } }, { code: -32602 }],
  ])('that %s fails', async (_name, state, failure) => {
    const { host, call } = await taskOf(state)
    await host.clock.advanceAsync(250)
    await expect(call.answer).rejects.toMatchObject(failure)
    expect(host.state).toEqual({ modern: 'ready' })
    expect(host.clock.pending).toBe(0)
  })

  it('that the host gives up is cancelled as a task', async () => {
    const { host, call } = await taskOf('silence')
    host.cancel(call)
    await expect(call.answer).rejects.toMatchObject({ constructor: CancelledError, by: 'caller' })
    await host.clock.settle()
    expect(host.transport.sentOf('tasks/cancel')[0]?.params).toMatchObject({ taskId: 't' })
    expect(host.transport.sentOf('notifications/cancelled')).toEqual([])
    await host.clock.advanceAsync(1_000)
    expect(polls(host)).toBe(0)
  })

  it('lives as long as it answers, and no longer', async () => {
    const { host, call } = await taskOf([...Array(5).fill(get({ status: 'working' })), 'silence'], {
      requestTimeoutMs: 1_000,
    })
    await host.clock.advanceAsync(1_500)
    expect(host.of('failure')).toEqual([])
    await host.clock.advanceAsync(1_000)
    await expect(call.answer).rejects.toBeInstanceOf(TimeoutError)
    expect(host.transport.sentOf('tasks/cancel')).toHaveLength(1)
  })

  it('ends with the connection, with nothing left', async () => {
    const { host, call } = await taskOf('silence')
    await host.connection.close()
    await expect(call.answer).rejects.toMatchObject({ name: 'TransportClosedError' })
    expect(host.clock.pending).toBe(0)
  })

  it('whose answers are refused fails with the refusal', async () => {
    const asks = get({ status: 'input_required', inputRequests: question })
    const { host, call } = await taskOf(
      asks,
      {},
      { 'tasks/update': { error: { code: -32602, message: 'too late' } } },
    )
    await host.clock.advanceAsync(250)
    host.desk.asked[0]?.resolve({ action: 'cancel' })
    await expect(call.answer).rejects.toMatchObject({ code: -32602 })
  })
})
