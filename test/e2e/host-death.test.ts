import { describe, expect, it } from 'vitest'
import { pathOf } from './harness.ts'
import { type Host, startHost, tether } from './hosts.ts'

const server = pathOf('../fixtures/servers/tether.mjs')

/** A host that is connected, and the end of its server. */
async function connectedHost(end: string, hosting: string, manner = 'stubborn') {
  const { path, held } = await tether()
  const host = startHost('host', [end, hosting, server, path, manner])
  const { gone, pid } = await held
  await host.stdout.first((line) => line === 'ready')
  return { host, gone, pid }
}

const ends: readonly [string, (host: Host) => unknown, object][] = [
  ['by process.exit', () => undefined, { code: 0, signal: null }],
  ['by an exception', () => undefined, { code: 1, signal: null }],
  ['by a rejection', () => undefined, { code: 1, signal: null }],
  ...(['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map((signal): [string, (host: Host) => unknown, object] => [
    'by a signal',
    ({ process }) => process.kill(signal),
    { code: null, signal },
  ]),
]

describe('a host that ends without closing takes its servers along, even the most stubborn', () => {
  it.each(ends)('%s %#', async (end, cause, how) => {
    const { host, gone } = await connectedHost(end, 'worker')
    cause(host)
    expect(await host.ended).toEqual(how)
    await gone
  })

  it.each(ends.filter((_, index) => index % 3 === 0))('%s, hosted inline %#', async (end, cause, how) => {
    const { host, gone } = await connectedHost(end, 'inline')
    cause(host)
    expect(await host.ended).toEqual(how)
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
