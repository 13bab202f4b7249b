import { describe, expect, it } from 'vitest'
import { connect, fixture, hostings, type Server } from './harness.ts'

const modernVersion = '2026-07-28'
const latestLegacy = '2025-11-25'

const discovered = (verdict: string, reason: string) => ({
  asked: 'server/discover',
  version: modernVersion,
  verdict,
  reason,
})
const agreedOn = (version: string) => ({
  asked: 'initialize',
  version: latestLegacy,
  verdict: 'agreed',
  reason: `agreed on ${version}`,
})
const named = discovered('modern', 'the server names 2026-07-28')
const noMethod = discovered('legacy', 'error -32601: no method server/discover')

const modern: readonly [string, Server, readonly unknown[]][] = [
  ['the official server', fixture('modern'), [named]],
  ['the official server without its legacy side', fixture('modern', '--modern-only'), [named]],
  ['a server without a library', fixture('bare-modern'), [named]],
  [
    '-32022 that names the very version sent, once',
    fixture('bare-modern', '--refuse-first'),
    [discovered('probeAgain', '-32022 names 2026-07-28, the very version sent'), named],
  ],
  [
    '-32021',
    fixture('bare-modern', '--capability-error'),
    [discovered('modern', 'only a modern server answers -32021')],
  ],
  [
    '-32020',
    fixture('bare-modern', '--header-mismatch'),
    [discovered('modern', 'only a modern server answers -32020')],
  ],
]

type Slow = Server & { readonly probeTimeoutMs?: number }

const legacy: readonly [string, Slow, string, readonly unknown[]][] = [
  ['-32601', fixture('bare-legacy'), latestLegacy, [noMethod, agreedOn(latestLegacy)]],
  [
    '-32602',
    fixture('bare-legacy', '--discover=-32602'),
    latestLegacy,
    [discovered('legacy', 'error -32602: no method server/discover'), agreedOn(latestLegacy)],
  ],
  [
    'a code nobody defined',
    fixture('bare-legacy', '--discover=-31999'),
    latestLegacy,
    [discovered('legacy', 'error -31999: no method server/discover'), agreedOn(latestLegacy)],
  ],
  [
    'silence',
    { ...fixture('silent-on-discover'), probeTimeoutMs: 200 },
    latestLegacy,
    [discovered('legacy', 'no answer within the probe budget'), agreedOn(latestLegacy)],
  ],
  [
    'an answer that comes too late',
    { ...fixture('bare-legacy', '--discover=late'), probeTimeoutMs: 200 },
    latestLegacy,
    [discovered('legacy', 'no answer within the probe budget'), agreedOn(latestLegacy)],
  ],
  [
    'an error that does not say what it answers',
    fixture('null-id-on-discover'),
    latestLegacy,
    [discovered('legacy', 'error -32600: Invalid request'), agreedOn(latestLegacy)],
  ],
  [
    'a DiscoverResult that lists only legacy versions',
    fixture('bare-modern', '--disjoint-legacy'),
    latestLegacy,
    [discovered('legacy', 'the server names only 2025-11-25'), agreedOn(latestLegacy)],
  ],
  [
    '-32022 that names only legacy versions',
    fixture('bare-modern', '--legacy-in-refusal'),
    latestLegacy,
    [discovered('legacy', '-32022 names 2025-11-25'), agreedOn(latestLegacy)],
  ],
  ...['2025-06-18', '2025-03-26', '2024-11-05'].map(
    (version): [string, Server, string, readonly unknown[]] => [
      `a server that answers ${version} to our offer`,
      fixture('bare-legacy', '--version', version),
      version,
      [noMethod, agreedOn(version)],
    ],
  ),
]

describe.each(hostings)('the era of a server (%s)', (hosting) => {
  it.each(modern)('is modern: %s', async (_, server, evidence) => {
    const { client } = connect({ ...server, hosting })
    expect(await client.era()).toBe('modern')
    expect(await client.protocolVersion()).toBe(modernVersion)
    expect(await client.probeReport()).toMatchObject({ verdict: 'modern', evidence, failure: undefined })
    expect((await client.listTools()).map(({ name }) => name)).toContain('echo')
    expect(client.state).toMatchObject({ value: { modern: 'ready' }, context: { era: 'modern' } })
  })

  it.each(legacy)('is legacy: %s', async (_, server, version, evidence) => {
    const { client } = connect({ probeTimeoutMs: 20_000, ...server, hosting })
    expect(await client.era()).toBe('legacy')
    expect(await client.protocolVersion()).toBe(version)
    expect(await client.supportedVersions()).toEqual([])
    expect(await client.probeReport()).toMatchObject({ verdict: 'legacy', evidence, failure: undefined })
    expect((await client.listTools()).map(({ name }) => name)).toContain('echo')
    expect(client.state).toMatchObject({ value: { legacy: 'ready' }, context: { era: 'legacy' } })
  })
})

describe('what a server says of itself', () => {
  it('is known of a modern server from its discovery', async () => {
    const { client } = connect(fixture('bare-modern'))
    expect(await client.supportedVersions()).toEqual([modernVersion])
    expect(await client.serverInfo()).toEqual({ name: 'fixture-bare-modern', version: '1.0.0' })
    expect(await client.instructions()).toBe('A server to test clients with.')
    expect(await client.capabilities()).toMatchObject({ logging: {}, resources: { subscribe: true } })
  })

  it('is known of a legacy server from its handshake', async () => {
    const { client } = connect(fixture('bare-legacy'))
    expect(await client.serverInfo()).toEqual({ name: 'fixture-bare-legacy', version: '1.0.0' })
    expect(await client.instructions()).toBe('A server to test clients with.')
    expect(await client.capabilities()).toMatchObject({ logging: {}, tools: { listChanged: true } })
  })

  it.each(['--capability-error', '--header-mismatch'])('is nothing after %s', async (flag) => {
    const { client } = connect(fixture('bare-modern', flag))
    expect(await client.capabilities()).toEqual({})
    expect(await client.supportedVersions()).toEqual([])
    expect(await client.serverInfo()).toBeUndefined()
  })

  it('is asked once, whoever wants to know', async () => {
    const { client } = connect(fixture('bare-modern'))
    const [era, tools, echo] = await Promise.all([
      client.era(),
      client.listTools(),
      client.callTool('echo', { text: 'hi' }),
      client.listPrompts(),
    ])
    expect([era, tools.length, echo.content]).toEqual(['modern', 17, [{ type: 'text', text: 'hi' }]])
    const { structuredContent } = await client.callTool('served')
    expect(structuredContent).toMatchObject({ 'server/discover': 1 })
  })
})
