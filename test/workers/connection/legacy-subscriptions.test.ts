import { describe, expect, it } from 'vitest'
import { ServerGoneError } from '../../../src/errors.ts'
import { type FakeAnswer, FakeTransport } from '../../../src/testing/index.ts'
import { Host } from '../harness.ts'

const subscribe = 'resources/subscribe'
const unsubscribe = 'resources/unsubscribe'
const uris = (host: Host, method: string) => host.transport.sentOf(method).map(({ params }) => params.uri)
const refused = { error: { code: -32602, message: 'no such resource' } }

const hostOf = (answer: FakeAnswer = {}) =>
  Host.ready(FakeTransport.legacy({ answers: { [subscribe]: answer } }))

describe('a subscription on a legacy server', () => {
  it('subscribes resource by resource, and is acknowledged with what was asked', async () => {
    const host = await hostOf()
    const filter = { toolsListChanged: true, resourceSubscriptions: ['a', 'b'] }
    expect(await host.listen(filter).answer).toEqual(filter)
    expect(uris(host, subscribe)).toEqual(['a', 'b'])
  })

  it('gets the notes its filter asks for', async () => {
    const host = await hostOf()
    const tools = host.listen({ toolsListChanged: true })
    const resource = host.listen({ resourceSubscriptions: ['file:///a'] })
    await Promise.all([tools.answer, resource.answer])
    host.transport.push({ method: 'notifications/tools/list_changed' })
    host.transport.push({ method: 'notifications/resources/updated', params: { uri: 'file:///a/b' } })
    host.transport.push({ method: 'notifications/resources/updated', params: { uri: 'file:///z' } })
    expect(host.of('subscribed').map(({ id }) => id)).toEqual([tools.id, resource.id])
    expect(host.of('notification')).toHaveLength(3)
  })

  it('unsubscribes, when it ends, what no other wants', async () => {
    const host = await hostOf()
    const first = host.listen({ resourceSubscriptions: ['a', 'b'] })
    const second = host.listen({ resourceSubscriptions: ['b'] })
    await Promise.all([first.answer, second.answer])
    host.cancel(first)
    await host.clock.settle()
    expect(host.of('unsubscribed')).toEqual([{ kind: 'unsubscribed', id: first.id, error: undefined }])
    expect(uris(host, unsubscribe)).toEqual(['a'])
    host.cancel(second)
    host.cancel(second)
    await host.clock.settle()
    expect(uris(host, unsubscribe)).toEqual(['a', 'b'])
  })

  it('fails when a resource is refused, and keeps none of the others', async () => {
    const host = await hostOf([{}, refused, {}])
    await expect(host.listen({ resourceSubscriptions: ['a', 'b', 'c'] }).answer).rejects.toMatchObject({
      code: -32602,
    })
    await host.clock.settle()
    expect(uris(host, subscribe)).toEqual(['a', 'b'])
    expect(uris(host, unsubscribe)).toEqual(['a'])
  })

  it('that ends before it was acknowledged subscribes nothing more, and keeps nothing', async () => {
    const host = await hostOf('silence')
    const unwanted = host.listen({ resourceSubscriptions: ['a', 'b'] })
    const first = await host.transport.nextSent(subscribe)
    host.cancel(unwanted)
    host.transport.respond(first, {})
    await host.clock.settle()
    expect(uris(host, subscribe)).toEqual(['a'])
    expect(uris(host, unsubscribe)).toEqual(['a'])
    expect(host.of('result')).toEqual([])
  })

  it('breaks with the connection: one that is open, and one that is not yet', async () => {
    const host = await hostOf([{}, 'silence'])
    const open = host.listen({ resourceSubscriptions: ['a'] })
    await open.answer
    const waiting = host.listen({ resourceSubscriptions: ['b'] })
    await host.clock.settle()
    host.transport.die(new ServerGoneError({ command: 's', exitCode: 1, signal: null, stderrTail: [] }))
    await expect(waiting.answer).rejects.toBeInstanceOf(ServerGoneError)
    expect(host.of('unsubscribed')).toMatchObject([{ id: open.id, error: { name: 'ServerGoneError' } }])
    expect(host.clock.pending).toBe(0)
  })

  it('is made again in a new session of the same server', async () => {
    const host = await hostOf()
    await host.listen({ resourceSubscriptions: ['a'] }).answer
    host.transport.wire.sessionLost?.()
    await host.clock.settle()
    expect(host.transport.sentOf('initialize')).toHaveLength(2)
    expect(uris(host, subscribe)).toEqual(['a', 'a'])
    expect(host.state).toEqual({ legacy: 'ready' })
  })
})
