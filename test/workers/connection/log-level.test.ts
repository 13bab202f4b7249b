import { describe, expect, it } from 'vitest'
import { MetaKey } from '../../../src/protocol/meta.ts'
import { FakeTransport } from '../../../src/testing/index.ts'
import { Host } from '../harness.ts'

const a = { answers: { a: {} } }
const levels = (host: Host) => host.transport.sentOf('logging/setLevel').map(({ params }) => params.level)
const stamped = (host: Host) =>
  host.transport
    .sentOf('a')
    .map(({ params }) => (params._meta as { [key: string]: unknown })[MetaKey.logLevel])

describe('the log level', () => {
  it('of a modern server goes with every request from then on', async () => {
    const host = await Host.ready(FakeTransport.modern(a))
    await host.call('a').answer
    expect(await host.setLevel('debug').answer).toBe(true)
    await host.call('a').answer
    expect(stamped(host)).toEqual([undefined, 'debug'])
    expect(levels(host)).toEqual([])
  })

  it('of a legacy server is a setting of its session', async () => {
    const host = await Host.ready(FakeTransport.legacy(a))
    expect(await host.setLevel('debug').answer).toBe(true)
    expect(levels(host)).toEqual(['debug'])
  })

  it('that was given from the beginning is told at the beginning', async () => {
    const modern = await Host.ready(FakeTransport.modern(a), { logLevel: 'error' })
    await modern.call('a').answer
    expect(stamped(modern)).toEqual(['error'])
    expect(levels(await Host.ready(FakeTransport.legacy(a), { logLevel: 'error' }))).toEqual(['error'])
  })

  it('is told again in a new session', async () => {
    const host = await Host.ready(FakeTransport.legacy(a), { logLevel: 'error' })
    await host.setLevel('debug').answer
    host.transport.wire.sessionLost?.()
    await host.clock.settle()
    expect(levels(host)).toEqual(['error', 'debug', 'debug'])
  })

  it('is none of a server’s without logging, and says so', async () => {
    const capabilities = {}
    expect(await (await Host.ready(FakeTransport.modern({ capabilities }))).setLevel('debug').answer).toBe(
      false,
    )
    const legacy = await Host.ready(FakeTransport.legacy({ capabilities }), { logLevel: 'error' })
    expect(await legacy.setLevel('debug').answer).toBe(false)
    expect(levels(legacy)).toEqual([])
  })

  it('is none of a server’s that declares logging but has no such method', async () => {
    const error = { code: -32601, message: 'no' }
    const host = await Host.ready(FakeTransport.legacy({ answers: { 'logging/setLevel': { error } } }))
    expect(await host.setLevel('debug').answer).toBe(false)
  })

  it('that is refused fails; at the beginning it is but a warning', async () => {
    const answers = { 'logging/setLevel': { error: { code: -32602, message: 'no such level' } } }
    const host = await Host.ready(FakeTransport.legacy({ answers }), { logLevel: 'error' })
    expect(host.state).toEqual({ legacy: 'ready' })
    expect(host.warnings).toEqual([expect.stringContaining('no such level')])
    await expect(host.setLevel('debug').answer).rejects.toMatchObject({ code: -32602 })
  })
})
