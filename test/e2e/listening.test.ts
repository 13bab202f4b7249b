import { describe, expect, it } from 'vitest'
import type { Subscription } from '../../src/index.ts'
import { ask, connect, failureOf, fixture, hostings } from './harness.ts'
import { error, notification, result, scripted } from './scripted.ts'

const listChanged = (kind: string) => ({ method: `notifications/${kind}/list_changed` })
const updated = (uri: string) => ({ method: 'notifications/resources/updated', params: { uri } })

/** The next note, or how the subscription ended. */
async function next(subscription: Subscription): Promise<unknown> {
  const { value, done } = await subscription[Symbol.asyncIterator]().next()
  return done ? 'the end' : value
}

describe.each(hostings)('listening to a modern server (%s)', (hosting) => {
  it('begins with what it honours and brings that, to each its own', async () => {
    const { client } = connect({ ...fixture('bare-modern'), hosting })
    const tools = await client.listen({ toolsListChanged: true, promptsListChanged: false })
    const both = await client.listen({ toolsListChanged: true, resourceSubscriptions: ['bare:///a'] })
    expect(tools.honoured).toEqual({ toolsListChanged: true })
    expect(both.honoured).toEqual({ toolsListChanged: true, resourceSubscriptions: ['bare:///a'] })
    for (const emitted of [updated('bare:///a'), updated('bare:///b'), listChanged('tools')])
      await client.callTool('emit', emitted)
    expect(await next(both)).toMatchObject(updated('bare:///a'))
    expect(await next(both)).toMatchObject(listChanged('tools'))
    expect(await next(tools)).toMatchObject(listChanged('tools'))
  })

  it('ends when it is closed, and the server is told', async () => {
    const { client } = connect({ ...fixture('bare-modern'), hosting })
    const subscription = await client.listen({ toolsListChanged: true })
    await client.callTool('emit', listChanged('tools'))
    await subscription.close()
    expect(await next(subscription)).toBe('the end')
    expect(await ask(client, 'emit', listChanged('tools'))).toEqual({ sent: 0 })
    expect(await ask(client, 'cancelled')).toMatchObject({ cancelled: [{ requestId: expect.any(Number) }] })
  })

  it.each(['both', 'result', 'cancelled'])('ends when the server ends it, by %s', async (by) => {
    const { client, warnings } = connect({ ...fixture('bare-modern'), hosting })
    const [ended, other] = [await client.listen({ toolsListChanged: true }), await client.listen({})]
    const notes: string[] = []
    const reading = (async () => {
      for await (const { method } of ended) notes.push(method)
    })()
    await client.callTool('emit', listChanged('tools'))
    await client.callTool('end_listen', { by })
    await reading
    expect(notes).toEqual(['notifications/tools/list_changed'])
    expect(await next(other)).toBe('the end')
    expect(warnings.all).toEqual([])
  })

  it('breaks when the server dies', async () => {
    const { client, pids } = connect({ ...fixture('bare-modern'), hosting })
    const subscription = await client.listen({ toolsListChanged: true })
    const reading = failureOf(next(subscription))
    for (const pid of pids()) process.kill(pid, 'SIGKILL')
    expect(await reading).toMatchObject({ name: 'ServerGoneError', signal: 'SIGKILL' })
  })
})

describe('listening', () => {
  it('to the official server works', async () => {
    const { client } = connect(fixture('modern'))
    const filter = { toolsListChanged: true, resourceSubscriptions: ['note:///1'] }
    const subscription = await client.listen(filter)
    expect(subscription.honoured).toEqual(filter)
    await client.callTool('touch')
    const notes = [await next(subscription), await next(subscription)]
    expect(notes.map((note) => Object(note).method).sort()).toEqual([
      'notifications/resources/updated',
      'notifications/tools/list_changed',
    ])
  })

  it('also brings everything to whoever reads all notifications', async () => {
    const { client } = connect(fixture('bare-modern'))
    const heard: string[] = []
    const reading = (async () => {
      for await (const { method } of client.notifications()) heard.push(method)
    })()
    const stop = client.on('notification', ({ method }) => heard.push(`on ${method}`))
    await client.listen({ toolsListChanged: true })
    await client.callTool('emit', listChanged('tools'))
    stop()
    await client.callTool('emit', listChanged('tools'))
    await client.close()
    await reading
    const method = 'notifications/tools/list_changed'
    expect(heard.sort()).toEqual([method, method, `on ${method}`])
  })

  it('ends with its connection', async () => {
    const { client } = connect(fixture('bare-modern'))
    const subscription = await client.listen({ toolsListChanged: true })
    const reading = failureOf(next(subscription))
    await client.close()
    expect(await reading).toMatchObject({ name: 'TransportClosedError' })
  })

  it('that is aborted before it was acknowledged is cancelled', async () => {
    const { client } = connect(
      scripted({ 'subscriptions/listen': [[]], 'tools/list': [[result({ tools: [] })]] }),
    )
    await client.era()
    const abort = new AbortController()
    const listening = failureOf(client.listen({ toolsListChanged: true }, { signal: abort.signal }))
    await client.listTools()
    abort.abort()
    expect(await listening).toMatchObject({ name: 'CancelledError' })
  })

  it.each([
    ['never acknowledges', [], { name: 'TimeoutError', method: 'subscriptions/listen' }],
    ['refuses', [error(-32601, 'no listening here')], { name: 'ProtocolError', code: -32601 }],
    ['ends before it acknowledged', [result({})], { name: 'TransportClosedError' }],
    [
      'cancels before it acknowledged',
      [notification('notifications/cancelled', { requestId: '$id' })],
      { name: 'TransportClosedError' },
    ],
  ])('to a server that %s fails', async (_, scene, failure) => {
    const { client } = connect({ ...scripted({ 'subscriptions/listen': [scene] }), requestTimeoutMs: 300 })
    expect(await failureOf(client.listen({ toolsListChanged: true }))).toMatchObject(failure)
  })

  it.each([
    ['something nobody can listen to', { weather: true }],
    ['a flag that is none', { toolsListChanged: 'yes' }],
    ['URIs that are none', { resourceSubscriptions: [1] }],
  ])('to %s is refused before it is sent', async (_, filter) => {
    const { client } = connect(fixture('bare-modern'))
    const failure = await failureOf(client.listen(Object(filter)))
    expect(failure).toMatchObject({ name: 'ConfigError', path: ['filter'] })
    expect(await ask(client, 'served')).not.toHaveProperty('subscriptions/listen')
  })
})
