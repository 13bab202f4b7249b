import { describe, expect, it } from 'vitest'
import { CancelledError, TimeoutError } from '../../../src/errors.ts'
import { FakeTransport } from '../../../src/testing/index.ts'
import { deferred } from '../../model/deferred.ts'
import { Host } from '../harness.ts'

const silent = { answers: { 'tools/call': 'silence', 'tools/list': 'silence' } } as const
const eras = [
  ['modern', (open?: () => Promise<void>) => FakeTransport.modern({ ...silent, open })],
  ['legacy', (open?: () => Promise<void>) => FakeTransport.legacy({ ...silent, open })],
] as const

const hi = { content: [{ type: 'text', text: 'hi' }] }

describe.each(eras)('a call on a %s server', (_era, transport) => {
  it('that is not answered in time fails then, not before, and the server is told', async () => {
    const host = await Host.ready(transport(), { requestTimeoutMs: 100 })
    const call = host.call('tools/call', { name: 'slow' })
    await host.clock.advanceAsync(99)
    expect(host.of('failure')).toEqual([])
    await host.clock.advanceAsync(1)
    await expect(call.answer).rejects.toMatchObject({
      constructor: TimeoutError,
      method: 'tools/call',
      timeoutMs: 100,
    })
    const sent = await host.transport.nextSent('tools/call')
    expect(host.transport.sentOf('notifications/cancelled').map(({ params }) => params)).toEqual([
      { requestId: sent.id, reason: expect.stringContaining('was not answered within 100 ms') },
    ])
    expect(host.clock.pending).toBe(0)
  })

  it('has its own budget, and none when it is 0', async () => {
    const host = await Host.ready(transport(), { requestTimeoutMs: 100 })
    const brief = host.call('tools/call', { name: 'a' }, { budget: { timeoutMs: 10 } })
    host.call('tools/call', { name: 'b' }, { budget: { timeoutMs: 0 } })
    await host.clock.advanceAsync(1_000_000)
    await expect(brief.answer).rejects.toMatchObject({ timeoutMs: 10 })
    expect(host.of('failure')).toHaveLength(1)
  })

  it('is renewed by its progress, and capped in total all the same', async () => {
    const host = await Host.ready(transport(), { requestTimeoutMs: 100, maxTotalTimeoutMs: 250 })
    const call = host.call('tools/call', { name: 'slow' }, { progress: 't' })
    for (let progress = 1; progress <= 2; progress++) {
      await host.clock.advanceAsync(99)
      host.transport.push({ method: 'notifications/progress', params: { progressToken: 't', progress } })
    }
    await host.clock.advanceAsync(51)
    expect(host.of('failure')).toEqual([])
    await host.clock.advanceAsync(1)
    await expect(call.answer).rejects.toMatchObject({
      timeoutMs: 250,
      message: expect.stringContaining('maxTotalTimeoutMs'),
    })
  })

  it('that the host gave up fails, and the server is told', async () => {
    const host = await Host.ready(transport())
    const call = host.call('tools/call', { name: 'slow' })
    host.cancel(call)
    await expect(call.answer).rejects.toBeInstanceOf(CancelledError)
    expect(host.transport.sentOf('notifications/cancelled')).toHaveLength(1)
    expect(host.clock.pending).toBe(0)
  })

  it('that is over is not cancelled any more', async () => {
    const host = await Host.ready(transport())
    host.transport.answer('tools/call', hi)
    const call = host.call('tools/call', { name: 'quick' })
    await call.answer
    host.cancel(call)
    expect(host.transport.sentOf('notifications/cancelled')).toEqual([])
    expect(host.of('failure')).toEqual([])
    expect(host.clock.pending).toBe(0)
  })

  it('that was given up is not answered by what comes late', async () => {
    const host = await Host.ready(transport(), { requestTimeoutMs: 100 })
    const call = host.call('tools/call', { name: 'slow' })
    await host.clock.advanceAsync(100)
    await expect(call.answer).rejects.toBeInstanceOf(TimeoutError)
    const before = host.frames.length
    host.transport.respond(await host.transport.nextSent('tools/call'), hi)
    expect(host.frames.slice(before)).toEqual([
      { kind: 'warning', message: expect.stringContaining('an answer nobody waits for was dropped: id') },
    ])
  })

  it('waits for the connection on its own time: the server’s starts when it is sent', async () => {
    const opens = deferred<void>()
    const host = new Host(
      transport(() => opens.promise),
      { requestTimeoutMs: 100, connectTimeoutMs: 1_000 },
    )
    const call = host.call('tools/call', { name: 'slow' })
    await host.clock.advanceAsync(900)
    opens.resolve()
    await host.clock.settle()
    await host.clock.advanceAsync(99)
    expect(host.of('failure')).toEqual([])
    await host.clock.advanceAsync(1)
    await expect(call.answer).rejects.toBeInstanceOf(TimeoutError)
  })

  it('a list, too, fails in time or when it is given up, and the server is told', async () => {
    const host = await Host.ready(transport(), { requestTimeoutMs: 100 })
    const slow = host.list('tools/list')
    await host.clock.advanceAsync(100)
    await expect(slow.answer).rejects.toBeInstanceOf(TimeoutError)
    const unwanted = host.list('tools/list')
    await host.clock.settle()
    host.cancel(unwanted)
    await expect(unwanted.answer).rejects.toBeInstanceOf(CancelledError)
    expect(host.transport.sentOf('notifications/cancelled')).toHaveLength(2)
    expect(host.clock.pending).toBe(0)
  })
})
