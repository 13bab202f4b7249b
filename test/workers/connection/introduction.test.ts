import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SpawnFailedError, TimeoutError, UnsupportedVersionError } from '../../../src/errors.ts'
import { MetaKey } from '../../../src/protocol/meta.ts'
import { FakeTransport } from '../../../src/testing/index.ts'
import { deferred } from '../../model/deferred.ts'
import { json, jsonObject, text } from '../../protocol/arbitraries.ts'
import { Host } from '../harness.ts'

const silentProbe = { 'server/discover': 'silence' } as const
const methods = (host: Host) => host.transport.sent.map(({ method }) => method)

describe('a modern server', () => {
  it('is asked once, whoever waits; then calls go out in order, stamped', async () => {
    const transport = FakeTransport.modern({ answers: { a: {}, b: {}, c: {} } })
    const host = new Host(transport)
    for (const method of ['a', 'b', 'c']) host.call(method)
    await host.clock.settle()
    expect(methods(host)).toEqual(['server/discover', 'a', 'b', 'c'])
    for (const { params } of transport.sent as { params: { _meta: object } }[])
      expect(params._meta).toMatchObject({
        [MetaKey.protocolVersion]: '2026-07-28',
        [MetaKey.clientInfo]: { name: 'test' },
        [MetaKey.clientCapabilities]: {},
      })
    expect(host.state).toEqual({ modern: 'ready' })
    expect(host.clock.pending).toBe(0)
  })

  it('that answers -32021 is modern, and asked for nothing else', async () => {
    const error = { code: -32021, message: 'declare more', data: { requiredCapabilities: {} } }
    const host = await Host.ready(FakeTransport.modern({ answers: { 'server/discover': { error } } }))
    expect(host.state).toEqual({ modern: 'ready' })
    expect(methods(host)).toEqual(['server/discover'])
  })

  it('that refuses the version it names is asked once more, unchanged, and then believed', async () => {
    const error = {
      code: -32022,
      message: 'no',
      data: { supported: ['2026-07-28'], requested: '2026-07-28' },
    }
    const host = new Host(FakeTransport.modern({ answers: { 'server/discover': { error } } }))
    const call = host.call('a')
    await host.connection.ended
    await expect(call.answer).rejects.toBeInstanceOf(UnsupportedVersionError)
    const [first, second] = host.transport.sent
    expect(methods(host)).toEqual(['server/discover', 'server/discover'])
    expect({ ...second, id: first?.id }).toEqual(first)
  })
})

describe('a legacy server', () => {
  it('is asked, refuses, and is shaken hands with; then calls go out in order, plain', async () => {
    const transport = FakeTransport.legacy({ answers: { a: {}, b: {} } })
    const host = new Host(transport)
    for (const method of ['a', 'b']) host.call(method)
    await host.clock.settle()
    expect(methods(host)).toEqual(['server/discover', 'initialize', 'notifications/initialized', 'a', 'b'])
    expect(transport.sentOf('a')[0]?.params).toEqual({})
    expect(host.state).toEqual({ legacy: 'ready' })
  })

  it('that keeps silent is shaken hands with exactly when the probe’s budget is over, and not cancelled', async () => {
    const transport = FakeTransport.legacy({ answers: silentProbe })
    const host = await Host.ready(transport, { probeTimeoutMs: 700 })
    await host.clock.advanceAsync(699)
    expect(methods(host)).toEqual(['server/discover'])
    await host.clock.advanceAsync(1)
    expect(methods(host)).toEqual(['server/discover', 'initialize', 'notifications/initialized'])
    expect(host.state).toEqual({ legacy: 'ready' })
    expect(host.clock.pending).toBe(0)
  })

  it('that answers the probe too late is not modern any more', async () => {
    const transport = FakeTransport.legacy({ answers: { ...silentProbe, initialize: 'silence' } })
    const host = await Host.ready(transport)
    const probe = await transport.nextSent('server/discover')
    await host.clock.advanceAsync(5_000)
    transport.respond(probe, { supportedVersions: ['2026-07-28'] })
    await host.clock.settle()
    expect(host.state).toBe('legacyHandshake')
    expect(host.warnings).toEqual([
      `an answer nobody waits for was dropped: id ${probe.id}, which came too late for server/discover`,
    ])
  })

  it('that answers the probe with an error without id is shaken hands with at once', async () => {
    const transport = FakeTransport.legacy({ answers: silentProbe })
    const host = await Host.ready(transport)
    transport.raw({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'what?' } })
    await host.clock.settle()
    expect(host.state).toEqual({ legacy: 'ready' })
    expect(host.warnings).toEqual([])
  })

  it('that never answers the handshake fails in the time of a request, and is not told so', async () => {
    const transport = FakeTransport.legacy({ answers: { initialize: 'silence' } })
    const host = await Host.ready(transport, { requestTimeoutMs: 100 })
    const call = host.call('a', {}, { budget: { timeoutMs: 0 } })
    await host.clock.advanceAsync(100)
    await expect(call.answer).rejects.toMatchObject({
      constructor: TimeoutError,
      method: 'initialize',
      timeoutMs: 100,
    })
    expect(methods(host)).not.toContain('notifications/cancelled')
    expect(host.state).toBe('closed')
  })

  it('is shaken hands with at once when it is pinned', async () => {
    const host = await Host.ready(FakeTransport.legacy(), { era: 'legacy' })
    expect(methods(host)).toEqual(['initialize', 'notifications/initialized'])
  })

  it('is refused when modern ones are pinned', async () => {
    const host = new Host(FakeTransport.legacy(), { era: 'modern' })
    const call = host.call('a')
    await expect(call.answer).rejects.toMatchObject({ name: 'UnsupportedVersionError', supported: [] })
    expect(methods(host)).toEqual(['server/discover'])
  })
})

describe('a server that answers nonsense', () => {
  it('gets no further than a refusal, whatever it is', async () => {
    const nearlyDiscovery = fc.record(
      {
        supportedVersions: fc.oneof(fc.array(text), json),
        protocolVersion: fc.oneof(jsonObject, json),
        capabilities: json,
        serverInfo: fc.oneof(jsonObject, json),
        _meta: json,
      },
      { requiredKeys: [] },
    )
    const nonsense = fc.asyncProperty(fc.oneof(nearlyDiscovery, jsonObject), async (answer) => {
      const host = await Host.ready(
        new FakeTransport({
          answers: { 'server/discover': () => ({ ...answer }), initialize: () => ({ ...answer }) },
        }),
      )
      expect(host.state).toBe('closed')
      expect(host.snapshot.context.failure?.name).toBe('UnsupportedVersionError')
      expect(host.clock.pending).toBe(0)
    })
    await fc.assert(nonsense, { numRuns: 100 })
  })
})

describe('a wire', () => {
  it('that does not open in time fails, and is closed', async () => {
    const opens = deferred<void>()
    let aborted: AbortSignal | undefined
    const transport = new FakeTransport({
      open: (signal) => {
        aborted = signal
        return opens.promise
      },
    })
    const host = await Host.ready(transport, { connectTimeoutMs: 200 })
    const call = host.call('a')
    await host.clock.advanceAsync(200)
    await expect(call.answer).rejects.toMatchObject({ method: 'connect', timeoutMs: 200 })
    expect(aborted?.aborted).toBe(true)
    expect(host.state).toBe('closed')
  })

  it('that cannot be opened says why', async () => {
    const failure = new SpawnFailedError({ command: 'nope', reason: 'not found' })
    const host = new Host(new FakeTransport({ open: () => Promise.reject(failure) }))
    const call = host.call('a')
    await expect(call.answer).rejects.toMatchObject({ name: 'SpawnFailedError', command: 'nope' })
    await host.connection.ended
    await expect(host.call('b').answer).rejects.toMatchObject({ name: 'SpawnFailedError' })
  })
})
