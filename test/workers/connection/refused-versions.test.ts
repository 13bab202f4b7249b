import { describe, expect, it } from 'vitest'
import { UnsupportedVersionError } from '../../../src/errors.ts'
import { type FakeAnswer, FakeTransport } from '../../../src/testing/index.ts'
import { asking, Host } from '../harness.ts'

const refusal = {
  error: { code: -32022, message: 'no', data: { supported: ['2026-07-28'], requested: '2026-07-28' } },
}
const done = { content: [] }
const asksRoots = { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } }
const discovery = { supportedVersions: ['2026-07-28'], capabilities: {} }

describe('a version that is refused in the middle of a connection’s life', () => {
  it('is probed again once for all calls it concerns, and each is sent once more', async () => {
    const answers = { 'tools/call': [refusal, refusal, done] }
    const host = await Host.ready(FakeTransport.modern({ answers }))
    const calls = [host.call('tools/call', { name: 'a' }), host.call('tools/call', { name: 'b' })]
    expect(await Promise.all(calls.map(({ answer }) => answer))).toEqual([done, done])
    expect(host.transport.sentOf('server/discover')).toHaveLength(2)
    expect(host.transport.sentOf('tools/call').map(({ params }) => params.name)).toEqual(['a', 'b', 'a', 'b'])
    expect(host.state).toEqual({ modern: 'ready' })
    expect(host.clock.pending).toBe(0)
  })

  it('is believed the second time: the call fails, the connection goes on', async () => {
    const host = await Host.ready(
      FakeTransport.modern({ answers: { 'tools/call': [refusal, refusal, done] } }),
    )
    await expect(host.call('tools/call', { name: 'a' }).answer).rejects.toMatchObject({
      constructor: UnsupportedVersionError,
      supported: ['2026-07-28'],
    })
    expect(await host.call('tools/call', { name: 'b' }).answer).toEqual(done)
  })

  it.each<readonly [string, readonly FakeAnswer[]]>([
    ['a retry', [asksRoots, refusal, done]],
    ['the call and its retry', [refusal, asksRoots, refusal, done]],
    ['the retry of a retry', [asksRoots, asksRoots, refusal, done]],
  ])('is probed again for %s with input, which is sent once more as it was', async (_, scenes) => {
    const host = await Host.ready(FakeTransport.modern({ answers: { 'tools/call': scenes } }), asking)
    const { answer } = host.call('tools/call', { name: 'a' })
    for (const _ of scenes.filter((scene) => scene === asksRoots)) {
      await host.clock.settle()
      host.desk.asked.at(-1)?.resolve({ roots: [] })
    }
    expect(await answer).toEqual(done)
    const [refused, repeated] = host.transport.sentOf('tools/call').slice(-2)
    expect(repeated?.params).toEqual(refused?.params)
    expect(repeated?.params.inputResponses).toEqual({ a: { roots: [] } })
    expect(repeated?.id).not.toBe(refused?.id)
    expect(host.transport.sentOf('tools/call')).toHaveLength(scenes.length)
    expect(host.state).toEqual({ modern: 'ready' })
  })

  it('is believed the second time for a retry with input, too', async () => {
    const scenes = [asksRoots, refusal, refusal, done]
    const host = await Host.ready(FakeTransport.modern({ answers: { 'tools/call': scenes } }), asking)
    const { answer } = host.call('tools/call', { name: 'a' })
    await host.clock.settle()
    host.desk.asked[0]?.resolve({ roots: [] })
    await expect(answer).rejects.toMatchObject({
      constructor: UnsupportedVersionError,
      supported: ['2026-07-28'],
    })
    expect(await host.call('tools/call', { name: 'b' }).answer).toEqual(done)
  })

  it('keeps new calls waiting until the server is known again', async () => {
    const answers = { 'tools/call': [refusal, done], 'server/discover': [discovery, 'silence'] } as const
    const host = await Host.ready(FakeTransport.modern({ answers }))
    const first = host.call('tools/call', { name: 'a' })
    await host.clock.settle()
    const second = host.call('tools/call', { name: 'b' })
    await host.clock.settle()
    expect(host.state).toBe('probing')
    expect(host.transport.sentOf('tools/call')).toHaveLength(1)
    host.transport.respond(host.transport.sentOf('server/discover')[1] ?? { method: '?' }, discovery)
    await Promise.all([first.answer, second.answer])
  })

  it('may turn out to be a legacy server by now', async () => {
    const answers = {
      'tools/call': [refusal, done],
      'server/discover': [discovery, { error: { code: -32601, message: 'no' } }],
      initialize: { protocolVersion: '2025-06-18', capabilities: {} },
    }
    const host = await Host.ready(new FakeTransport({ answers }))
    expect(await host.call('tools/call', { name: 'a' }).answer).toEqual(done)
    expect(host.state).toEqual({ legacy: 'ready' })
    expect(host.transport.sentOf('tools/call')[1]?.params).toEqual({ name: 'a' })
  })

  it('loses no other call that is asked for input meanwhile', async () => {
    const answers = { 'tools/call': 'silence', 'server/discover': [discovery, 'silence'] } as const
    const host = await Host.ready(FakeTransport.modern({ answers }), asking)
    const refused = host.call('tools/call', { name: 'a' })
    const asked = host.call('tools/call', { name: 'b' })
    const [a, b] = [await host.transport.nextSent('tools/call'), await host.transport.nextSent('tools/call')]
    host.transport.respond(a, refusal)
    await host.clock.settle()
    host.transport.respond(b, asksRoots)
    await host.clock.settle()
    host.desk.asked[0]?.resolve({ roots: [] })
    host.transport.answer('tools/call', done)
    host.transport.respond(host.transport.sentOf('server/discover')[1] ?? { method: '?' }, discovery)
    expect(await Promise.all([refused.answer, asked.answer])).toEqual([done, done])
    expect(host.state).toEqual({ modern: 'ready' })
  })

  it('keeps nothing that was cached from the server as it was', async () => {
    const answers = {
      'tools/call': [refusal, done],
      'resources/read': { contents: [], ttlMs: 60_000 },
    }
    const host = await Host.ready(FakeTransport.modern({ answers }))
    await host.call('resources/read', { uri: 'a' }).answer
    await host.call('tools/call', { name: 'a' }).answer
    await host.call('resources/read', { uri: 'a' }).answer
    expect(host.transport.sentOf('resources/read')).toHaveLength(2)
  })
})
