import { expect, it } from 'vitest'
import { FakeTransport, type FakeTransportOptions } from '../../../src/testing/index.ts'
import { Host } from '../harness.ts'

/** A wire that may have to wait for somebody who signs in. */
function wireOf(answers: NonNullable<FakeTransportOptions['answers']>) {
  return Object.assign(FakeTransport.modern({ answers }), { getsCredentials: true })
}

it('somebody who signs in during the probe takes as long as they like; then the server has all of its time', async () => {
  const transport = wireOf({ 'server/discover': 'silence' })
  const host = await Host.ready(transport, { probeTimeoutMs: 700 })
  await host.clock.advanceAsync(600)
  transport.wire.authorizing?.(true)
  await host.clock.advanceAsync(3_600_000)
  expect(host.state).toBe('probing')
  transport.wire.authorizing?.(false)
  await host.clock.advanceAsync(99)
  expect(host.state).toBe('probing')
  await host.clock.advanceAsync(1)
  expect(transport.sentOf('initialize')).toHaveLength(1)
})

it('no call is late meanwhile, whichever needs the token; but what caps a call caps it', async () => {
  const transport = wireOf({ 'tools/call': 'silence' })
  const host = await Host.ready(transport, { requestTimeoutMs: 1_000 })
  const patient = host.call('tools/call', { name: 'a' })
  const capped = host.call('tools/call', { name: 'b' }, { budget: { maxTotalTimeoutMs: 5_000 } })
  await host.clock.settle()
  transport.wire.authorizing?.(true)
  await host.clock.advanceAsync(5_000)
  await expect(capped.answer).rejects.toMatchObject({ code: 'TIMEOUT', timeoutMs: 5_000 })
  await host.clock.advanceAsync(60_000)
  expect(host.of('failure').map(({ id }) => id)).toEqual([capped.id])
  transport.wire.authorizing?.(false)
  await host.clock.advanceAsync(1_000)
  await expect(patient.answer).rejects.toMatchObject({ code: 'TIMEOUT', timeoutMs: 1_000 })
})

it('a connection that is closed meanwhile is closed in time', async () => {
  const transport = wireOf({})
  const host = await Host.ready(transport)
  transport.wire.authorizing?.(true)
  void host.connection.close()
  await host.connection.ended
  expect(host.clock.pending).toBe(0)
})
