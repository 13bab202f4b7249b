import { describe, expect, it } from 'vitest'
import { FakeTransport } from '../../../src/testing/index.ts'
import { Host } from '../harness.ts'

const silent = { answers: { a: 'silence' } } as const
const progress = (progressToken: unknown, n: number) => ({
  method: 'notifications/progress',
  params: { progressToken, progress: n, message: `step ${n}` },
})

async function meta(host: Host): Promise<{ progressToken?: unknown }> {
  const { params } = await host.transport.nextSent('a')
  return (params._meta ?? {}) as { progressToken?: unknown }
}

describe.each([
  ['modern', FakeTransport.modern],
  ['legacy', FakeTransport.legacy],
] as const)('progress of a %s server', (_era, preset) => {
  it('reaches the call whose token it names, in order, and nobody else when the token was minted', async () => {
    const host = await Host.ready(preset(silent))
    const [first, second] = [host.call('a', {}, { progress: true }), host.call('a', {}, { progress: true })]
    const tokens = [(await meta(host)).progressToken, (await meta(host)).progressToken]
    host.transport.push(progress(tokens[1], 1))
    host.transport.push(progress(tokens[0], 1))
    host.transport.push(progress(tokens[1], 2))
    expect(host.of('progress')).toEqual([
      { kind: 'progress', id: second.id, report: { progress: 1, message: 'step 1' } },
      { kind: 'progress', id: first.id, report: { progress: 1, message: 'step 1' } },
      { kind: 'progress', id: second.id, report: { progress: 2, message: 'step 2' } },
    ])
    expect(host.of('notification')).toEqual([])
  })

  it('arrives as a notification too when the token is the caller’s own', async () => {
    const host = await Host.ready(preset(silent))
    host.call('a', {}, { progress: 0, meta: '"x":1' })
    expect(await meta(host)).toMatchObject({ progressToken: 0, x: 1 })
    host.transport.push(progress(0, 1))
    expect(host.of('progress')).toHaveLength(1)
    expect(host.of('notification').map(({ notification }) => notification)).toEqual([progress(0, 1)])
  })

  it('of a call that is over, or of none, is dropped with a warning', async () => {
    const host = await Host.ready(preset(silent))
    const call = host.call('a', {}, { progress: 't' })
    host.cancel(call)
    host.transport.push(progress('t', 1))
    host.transport.push({ method: 'notifications/progress', params: {} })
    expect(host.of('progress')).toEqual([])
    expect(host.warnings).toEqual([
      'progress nobody waits for was dropped: token t',
      'progress nobody waits for was dropped (2 so far): it is malformed',
    ])
  })

  it('under a token that is in use is refused before anything is sent', async () => {
    const host = await Host.ready(preset(silent))
    const first = host.call('a', {}, { progress: 't' })
    await expect(host.call('a', {}, { progress: 't' }).answer).rejects.toMatchObject({
      name: 'ConfigError',
      path: ['progressToken'],
    })
    host.cancel(first)
    host.call('a', {}, { progress: 't' })
    expect(host.transport.sentOf('a')).toHaveLength(2)
  })
})

describe('a progress token', () => {
  it('stays the same through the retries of its call', async () => {
    const parks = { resultType: 'input_required', requestState: 's' }
    const host = await Host.ready(FakeTransport.modern({ answers: { 'tools/call': [parks, 'silence'] } }))
    host.call('tools/call', { name: 'x' }, { progress: true })
    await host.clock.advanceAsync(100)
    const [first, second] = host.transport.sentOf('tools/call').map(({ params }) => params._meta)
    expect(first).toHaveProperty('progressToken')
    expect(second).toEqual(first)
  })
})
