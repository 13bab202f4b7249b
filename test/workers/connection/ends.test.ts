import { describe, expect, it } from 'vitest'
import { ServerGoneError, TransportClosedError } from '../../../src/errors.ts'
import { FakeTransport } from '../../../src/testing/index.ts'
import { asking, Host } from '../harness.ts'

const gone = new ServerGoneError({ command: 'server', exitCode: 3, signal: null, stderrTail: ['last words'] })
const asks = {
  resultType: 'input_required',
  inputRequests: { a: { method: 'elicitation/create', params: {} } },
}
const never = () => new Promise<void>(() => {})

/** A connection in each of its states. */
const states = {
  opening: () => new Host(new FakeTransport({ open: never })),
  probing: () => new Host(FakeTransport.modern({ answers: { 'server/discover': 'silence' } })),
  legacyHandshake: () => new Host(FakeTransport.legacy({ answers: { initialize: 'silence' } })),
  'modern.ready': () =>
    new Host(FakeTransport.modern({ answers: { a: 'silence', 'tools/list': 'silence' } })),
  'legacy.ready': () =>
    new Host(FakeTransport.legacy({ answers: { a: 'silence', 'tools/list': 'silence' } })),
  'modern.inputRequired': () =>
    new Host(
      FakeTransport.modern({ answers: { a: 'silence', 'tools/list': 'silence', 'tools/call': asks } }),
      asking,
    ),
  'legacy.inputRequired': () =>
    new Host(FakeTransport.legacy({ answers: { a: 'silence', 'tools/list': 'silence' } }), asking),
}

async function hostIn(state: keyof typeof states): Promise<Host> {
  const host = states[state]()
  await host.clock.settle()
  if (state === 'modern.inputRequired') host.call('tools/call', { name: 'ask' })
  if (state === 'legacy.inputRequired') void host.transport.ask({ method: 'roots/list' })
  await host.clock.settle()
  const value = host.state
  expect(typeof value === 'string' ? value : Object.entries(value as object)[0]?.join('.')).toBe(state)
  return host
}

describe('a wire that does not end when it is closed', () => {
  it.each([
    [undefined, 30_000],
    [90_000, 90_000],
  ])('is given up in the time it may take: %s', async (closeTimeoutMs, givenUpMs) => {
    const host = await Host.ready(FakeTransport.modern({ close: never }), { closeTimeoutMs })
    void host.connection.close()
    await host.clock.advanceAsync(givenUpMs - 1)
    expect(host.state).toBe('closing')
    await host.clock.advanceAsync(1)
    expect(host.state).toBe('closed')
  })
})

describe.each(Object.keys(states) as (keyof typeof states)[])('a connection in %s', (state) => {
  it('that is closed fails everything that waits at once, and is over with nothing left', async () => {
    const host = await hostIn(state)
    const waiting = [host.call('a'), host.list('tools/list'), host.listen({})]
    const ended = host.connection.close()
    for (const { answer } of waiting.slice(0, 2))
      await expect(answer).rejects.toBeInstanceOf(TransportClosedError)
    await ended
    expect(host.state).toBe('closed')
    expect(host.clock.pending).toBe(0)
    expect(host.snapshot.context.failure).toBeUndefined()
  })

  it('whose server dies fails everything that waits at once, with the reason', async () => {
    const host = await hostIn(state)
    const waiting = [host.call('a'), host.list('tools/list')]
    host.transport.die(gone)
    for (const { answer } of waiting)
      await expect(answer).rejects.toMatchObject({
        constructor: ServerGoneError,
        exitCode: 3,
        stderrTail: ['last words'],
      })
    await host.connection.ended
    expect(host.snapshot).toMatchObject({
      value: 'closed',
      context: { failure: { name: 'ServerGoneError' } },
    })
    expect(host.clock.pending).toBe(0)
  })
})

describe('a connection that is over', () => {
  it('refuses every request with the reason, and ignores cancellations', async () => {
    const host = await hostIn('modern.ready')
    host.transport.die(gone)
    await host.connection.ended
    const before = host.transport.sent.length
    const late = [host.call('a'), host.list('tools/list'), host.listen({}), host.setLevel('debug')]
    for (const { answer } of late) await expect(answer).rejects.toBeInstanceOf(ServerGoneError)
    for (const pending of late) host.cancel(pending)
    await host.connection.close()
    expect(host.transport.sent).toHaveLength(before)
  })

  it('is closed as soon as its wire is, and not before', async () => {
    let release = () => {}
    const closes = new Promise<void>((resolve) => {
      release = resolve
    })
    const host = await Host.ready(FakeTransport.modern({ close: () => closes }))
    let isOver = false
    void host.connection.close().then(() => {
      isOver = true
    })
    await host.clock.settle()
    expect([host.state, isOver]).toEqual(['closing', false])
    release()
    await host.clock.settle()
    expect([host.state, isOver]).toEqual(['closed', true])
  })

  it('is closed also when closing its wire fails', async () => {
    const host = await Host.ready(FakeTransport.modern({ close: () => Promise.reject(new Error('stuck')) }))
    await host.connection.close()
    expect(host.state).toBe('closed')
  })

  it('may be closed as often as one likes', async () => {
    const host = await Host.ready(FakeTransport.modern())
    await Promise.all([host.connection.close(), host.connection.close()])
    await host.connection.close()
    expect(host.state).toBe('closed')
  })
})

describe('a wire that reports', () => {
  it('lines of stderr only to a host that wants them, and its process group always', async () => {
    for (const forwardStderr of [true, false]) {
      const host = await Host.ready(FakeTransport.modern(), { forwardStderr })
      host.transport.wire.spawned(4711)
      host.transport.wire.stderr('a line')
      host.transport.wire.reaped(4711)
      const told = host.frames.filter(({ kind }) => ['stderr', 'spawned', 'reaped'].includes(kind))
      expect(told.map(({ kind }) => kind)).toEqual(
        forwardStderr ? ['spawned', 'stderr', 'reaped'] : ['spawned', 'reaped'],
      )
    }
  })

  it('has every message traced, both ways, for a host that wants it', async () => {
    const host = await Host.ready(FakeTransport.modern({ answers: { a: {} } }), { trace: true })
    await host.clock.advanceAsync(5)
    await host.call('a').answer
    const traces = host.of('trace').map(({ trace }) => trace)
    expect(traces.map(({ direction, atMs }) => [direction, atMs])).toEqual([
      ['sent', 0],
      ['received', 0],
      ['sent', 5],
      ['received', 5],
    ])
    expect(JSON.parse(traces[2]?.text ?? '')).toMatchObject({ method: 'a' })
  })
})
