import { describe, expect, it } from 'vitest'
import { HttpError, ServerGoneError, TimeoutError, TransportClosedError } from '../../../src/errors.ts'
import { MetaKey } from '../../../src/protocol/meta.ts'
import { FakeTransport, type SentMessage } from '../../../src/testing/index.ts'
import { Host } from '../harness.ts'

const listen = 'subscriptions/listen'
const changed = 'notifications/tools/list_changed'

async function listening(
  options = {},
): Promise<{ host: Host; sent: SentMessage; id: number; answer: Promise<unknown> }> {
  const host = await Host.ready(FakeTransport.modern({ answers: { [listen]: 'silence' } }), options)
  const { id, answer } = host.listen({ toolsListChanged: true })
  return { host, sent: await host.transport.nextSent(listen), id, answer }
}

function tell(host: Host, sent: SentMessage, method: string, params = {}): void {
  host.transport.push({ method, params: { ...params, _meta: { [MetaKey.subscriptionId]: sent.id } } })
}

function acknowledge(host: Host, sent: SentMessage, notifications = {}): void {
  tell(host, sent, 'notifications/subscriptions/acknowledged', { notifications })
}

describe('a subscription on a modern server', () => {
  it('is one long request, acknowledged with what is honoured', async () => {
    const { host, sent, answer } = await listening()
    expect(sent.params).toMatchObject({ notifications: { toolsListChanged: true } })
    acknowledge(host, sent, { toolsListChanged: true })
    expect(await answer).toEqual({ toolsListChanged: true })
    expect(host.of('notification')).toEqual([])
    expect(host.clock.pending).toBe(0)
  })

  it('gets its own notes, while everybody hears of them', async () => {
    const { host, sent, id } = await listening()
    acknowledge(host, sent)
    const other = host.listen({ promptsListChanged: true })
    const otherSent = await host.transport.nextSent(listen)
    acknowledge(host, otherSent)
    tell(host, sent, changed)
    tell(host, otherSent, 'notifications/prompts/list_changed')
    host.transport.push({ method: changed })
    expect(host.of('subscribed').map((frame) => [frame.id, frame.notification.method])).toEqual([
      [id, changed],
      [other.id, 'notifications/prompts/list_changed'],
    ])
    expect(host.of('notification')).toHaveLength(3)
  })

  it('has no budget once it is acknowledged', async () => {
    const { host, sent } = await listening({ requestTimeoutMs: 100 })
    acknowledge(host, sent)
    await host.clock.advanceAsync(1_000_000)
    expect(host.of('unsubscribed')).toEqual([])
  })

  it('that is not acknowledged in time fails, and the server is told', async () => {
    const { host, sent, answer } = await listening({ requestTimeoutMs: 100 })
    await host.clock.advanceAsync(100)
    await expect(answer).rejects.toMatchObject({ constructor: TimeoutError, method: listen })
    expect(host.transport.sentOf('notifications/cancelled')[0]?.params.requestId).toBe(sent.id)
    acknowledge(host, sent)
    expect(host.of('result')).toEqual([])
  })

  it('ends when the host stops listening, and the server is told', async () => {
    const { host, sent, id } = await listening()
    acknowledge(host, sent)
    host.cancel({ id, answer: Promise.resolve() })
    expect(host.of('unsubscribed')).toEqual([{ kind: 'unsubscribed', id, error: undefined }])
    expect(host.transport.sentOf('notifications/cancelled')[0]?.params.requestId).toBe(sent.id)
    tell(host, sent, changed)
    expect(host.of('subscribed')).toEqual([])
  })

  it.each([
    ['a result', (host: Host, sent: SentMessage) => host.transport.respond(sent, { resultType: 'complete' })],
    [
      'a cancellation',
      (host: Host, sent: SentMessage) =>
        host.transport.push({ method: 'notifications/cancelled', params: { requestId: sent.id } }),
    ],
    [
      'both',
      (host: Host, sent: SentMessage) => {
        host.transport.respond(sent, { resultType: 'complete' })
        host.transport.push({ method: 'notifications/cancelled', params: { requestId: sent.id } })
      },
    ],
  ])('ends, without a failure, when the server ends it by %s', async (_name, end) => {
    const { host, sent, id } = await listening()
    acknowledge(host, sent)
    end(host, sent)
    expect(host.of('unsubscribed')).toEqual([{ kind: 'unsubscribed', id, error: undefined }])
    expect(host.transport.sentOf('notifications/cancelled')).toEqual([])
  })

  it('is asked for once more when its version was refused, and the server was probed again', async () => {
    const refusal = { error: { code: -32022, message: 'no', data: { supported: ['2026-07-28'] } } }
    const host = await Host.ready(FakeTransport.modern({ answers: { [listen]: [refusal, 'silence'] } }))
    const { answer } = host.listen({ toolsListChanged: true })
    await host.transport.nextSent(listen)
    acknowledge(host, await host.transport.nextSent(listen), { toolsListChanged: true })
    expect(await answer).toEqual({ toolsListChanged: true })
    expect(host.transport.sentOf('server/discover')).toHaveLength(2)
    const refused = await Host.ready(FakeTransport.modern({ answers: { [listen]: refusal } }))
    await expect(refused.listen({ toolsListChanged: true }).answer).rejects.toMatchObject({ code: -32022 })
    expect(refused.transport.sentOf(listen)).toHaveLength(2)
  })

  it('fails when it is refused, or ended before it was acknowledged', async () => {
    const refused = await listening()
    refused.host.transport.respond(refused.sent, { error: { code: -32601, message: 'no' } })
    await expect(refused.answer).rejects.toMatchObject({ code: -32601 })
    const ended = await listening()
    ended.host.transport.respond(ended.sent, {})
    await expect(ended.answer).rejects.toThrow('before it acknowledged it')
    expect([...refused.host.of('unsubscribed'), ...ended.host.of('unsubscribed')]).toEqual([])
  })

  it('breaks with the connection: one that is open, and one that is not yet', async () => {
    const { host, sent, id } = await listening()
    acknowledge(host, sent)
    const waiting = host.listen({})
    await host.transport.nextSent(listen)
    const gone = new ServerGoneError({ command: 's', exitCode: 1, signal: null, stderrTail: [] })
    host.transport.die(gone)
    expect(host.of('unsubscribed')).toMatchObject([{ id, error: { name: 'ServerGoneError' } }])
    await expect(waiting.answer).rejects.toBeInstanceOf(ServerGoneError)
  })

  it('is closed with the connection', async () => {
    const { host, sent, id } = await listening()
    acknowledge(host, sent)
    await host.connection.close()
    expect(host.of('unsubscribed')).toMatchObject([{ id, error: { name: 'TransportClosedError' } }])
  })
})

describe('a subscription whose stream is lost on a wire that goes on', () => {
  const lose = (host: Host, { id }: SentMessage) =>
    host.transport.wire.failed?.(id ?? 0, new HttpError({ status: 0, reason: 'reset' }), false)

  it('is asked for again after a pause that doubles, without a word to who listens', async () => {
    const { host, sent, id } = await listening()
    acknowledge(host, sent)
    lose(host, sent)
    await host.clock.advanceAsync(999)
    expect(host.transport.sentOf(listen)).toHaveLength(1)
    await host.clock.advanceAsync(1)
    const second = await host.transport.nextSent(listen)
    lose(host, second)
    await host.clock.advanceAsync(2_000)
    const third = await host.transport.nextSent(listen)
    acknowledge(host, third)
    tell(host, third, changed)
    expect(host.of('subscribed').map((frame) => frame.id)).toEqual([id])
    lose(host, third)
    expect(host.clock.nextInMs).toBe(1_000)
    await host.clock.advanceAsync(1_000)
    acknowledge(host, await host.transport.nextSent(listen))
    expect(host.of('result')).toHaveLength(1)
    expect(host.of('unsubscribed')).toEqual([])
    expect(host.clock.pending).toBe(0)
  })

  it('ends with the failure when it is lost too often in a row', async () => {
    const { host, sent, id } = await listening()
    acknowledge(host, sent)
    lose(host, sent)
    for (let loss = 1; loss < 7; loss++) {
      await host.clock.advanceAsync(30_000)
      lose(host, await host.transport.nextSent(listen))
    }
    expect(host.of('unsubscribed')).toMatchObject([{ id, error: { name: 'HttpError' } }])
    expect(host.clock.pending).toBe(0)
  })

  it('is not asked for again once the host stopped listening, or the connection is closed', async () => {
    const { host, sent, id } = await listening()
    acknowledge(host, sent)
    lose(host, sent)
    host.cancel({ id, answer: Promise.resolve() })
    expect(host.clock.pending).toBe(0)
    const closed = await listening()
    acknowledge(closed.host, closed.sent)
    lose(closed.host, closed.sent)
    await closed.host.connection.close()
    expect(closed.host.clock.pending).toBe(0)
    expect(closed.host.of('unsubscribed')).toMatchObject([{ error: { name: TransportClosedError.name } }])
  })

  it('that was never acknowledged just fails', async () => {
    const { host, sent, answer } = await listening()
    lose(host, sent)
    await expect(answer).rejects.toBeInstanceOf(HttpError)
  })
})
