import { describe, expect, it } from 'vitest'
import { pathOf } from './harness.ts'
import { startHost, tether } from './hosts.ts'

const server = pathOf('../fixtures/servers/tether.mjs')

/** A host that is connected, and the end of its server. */
async function connectedHost(end: string, hosting: string, manner = 'stubborn') {
  const { path, held } = await tether()
  const host = startHost('host', [end, hosting, server, path, manner])
  const { gone, pid } = await held
  await host.stdout.first((line) => line === 'ready')
  return { host, gone, pid }
}

interface End {
  readonly how: string
  /** What the host is told to do, and what is done to it. */
  readonly end: string
  readonly signal?: NodeJS.Signals
  readonly status: { readonly code: number | null; readonly signal: string | null }
}

const ends: readonly End[] = [
  { how: 'by process.exit', end: 'by process.exit', status: { code: 0, signal: null } },
  { how: 'by an uncaught exception', end: 'by an exception', status: { code: 1, signal: null } },
  { how: 'by an unhandled rejection', end: 'by a rejection', status: { code: 1, signal: null } },
  ...(['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map((signal) => ({
    how: `by ${signal}`,
    end: 'by a signal',
    signal,
    status: { code: null, signal },
  })),
]

describe('a host that ends without closing takes even the most stubborn server along', () => {
  it.each([
    ...ends.map((end) => ({ ...end, hosting: 'worker' })),
    ...ends.filter(({ signal }) => signal === 'SIGTERM').map((end) => ({ ...end, hosting: 'inline' })),
  ])('$how ($hosting)', async ({ end, signal, status, hosting }) => {
    const { host, gone } = await connectedHost(end, hosting)
    if (signal) host.process.kill(signal)
    expect(await host.ended).toEqual(status)
    await gone
  })
})

describe('a host', () => {
  it('that handles interrupts itself keeps its servers until it ends', async () => {
    const { host, gone } = await connectedHost('on its second interrupt', 'worker')
    host.process.kill('SIGINT')
    expect(await host.stdout.first((line) => line.startsWith('['))).toContain('still connected')
    host.process.kill('SIGINT')
    expect(await host.ended).toEqual({ code: 0, signal: null })
    await gone
  })

  it('that is killed outright leaves its servers the end of their input', async () => {
    const { host, gone } = await connectedHost('by a signal', 'worker', 'polite')
    host.process.kill('SIGKILL')
    expect(await host.ended).toEqual({ code: null, signal: 'SIGKILL' })
    await gone
  })

  it.each(['worker', 'inline'])('that closed its client ends by itself (%s)', async (hosting) => {
    const { host, gone } = await connectedHost('when it is told to, after it closed', hosting)
    host.process.kill('SIGUSR2')
    await gone
    expect(await host.ended).toEqual({ code: 0, signal: null })
    expect(host.stderr.all).toEqual([])
  })
})
