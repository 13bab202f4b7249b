import { describe, expect, it } from 'vitest'
import { ServerGoneError, TimeoutError, UnsupportedVersionError } from '../../src/index.ts'
import { connect, failureOf, fixture, hostings, type Server, textOf } from './harness.ts'
import { error, said, scripted, tools } from './scripted.ts'

const unsupported: readonly [string, Server, readonly string[], readonly string[]][] = [
  [
    'a discovery without a common version, and a refused handshake',
    fixture('bare-modern', '--disjoint'),
    ['2099-01-01'],
    ['legacy', 'refused'],
  ],
  ['-32022 that names nothing', fixture('bare-modern', '--nothing-usable'), [], ['unsupported']],
  [
    'a handshake refused with other versions',
    fixture('bare-legacy', '--refuse'),
    ['1999-01-01'],
    ['legacy', 'refused'],
  ],
  [
    'a handshake answered with a version nobody knows',
    fixture('bare-legacy', '--version', '1999-01-01'),
    ['1999-01-01'],
    ['legacy', 'refused'],
  ],
]

const deaths: readonly [string, Server, number, string][] = [
  [
    'the probe, as an old server may',
    fixture('dies-on-discover'),
    1,
    'panic: server/discover before initialize',
  ],
  ['the probe', fixture('bare-legacy', '--discover=die'), 6, 'goodbye, cruel world'],
  ['the handshake', fixture('bare-legacy', '--die-on-initialize'), 4, 'goodbye, cruel world'],
]

describe.each(hostings)('no era comes (%s)', (hosting) => {
  it.each(unsupported)('of %s', async (_, server, supported, verdicts) => {
    const { client } = connect({ ...server, hosting })
    const failures = await Promise.all([failureOf(client.era()), failureOf(client.callTool('echo'))])
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(UnsupportedVersionError)
      expect(failure).toMatchObject({ code: 'UNSUPPORTED_VERSION', supported })
    }
    const report = await client.probeReport()
    expect(report).toMatchObject({ verdict: 'undecided', failure: { supported } })
    expect(report.evidence.map(({ verdict }) => verdict)).toEqual(verdicts)
    expect(client.state.value).toBe('closed')
  })

  it.each(deaths)('of a server that dies of %s', async (_, server, exitCode, lastWords) => {
    const { client } = connect({ ...server, hosting })
    const failures = await Promise.all([failureOf(client.era()), failureOf(client.listTools())])
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(ServerGoneError)
      expect(failure).toMatchObject({ exitCode, signal: null, stderrTail: [lastWords] })
    }
  })
})

describe('no era comes', () => {
  it('of a handshake that is never answered', async () => {
    const { client } = connect({ ...fixture('bare-legacy', '--silent-initialize'), requestTimeoutMs: 200 })
    const failure = await failureOf(client.era())
    expect(failure).toBeInstanceOf(TimeoutError)
    expect(failure).toMatchObject({ method: 'initialize', timeoutMs: 200 })
    expect((await client.probeReport()).evidence).toMatchObject([
      { asked: 'server/discover', verdict: 'legacy' },
      { asked: 'initialize', answer: { kind: 'gone' } },
    ])
  })

  it('and every later call fails in the same way', async () => {
    const { client } = connect(fixture('bare-legacy', '--refuse'))
    await failureOf(client.era())
    const later = [client.listTools(), client.ping(), client.serverInfo(), client.listen({})]
    for (const failure of await Promise.all(later.map(failureOf)))
      expect(failure).toBeInstanceOf(UnsupportedVersionError)
  })
})

describe('era: "legacy"', () => {
  const era = 'legacy'

  it('asks no modern question, so a server that cannot bear one lives', async () => {
    const { client } = connect({ ...fixture('dies-on-discover'), era })
    expect(await client.era()).toBe('legacy')
    expect((await client.probeReport()).evidence).toMatchObject([{ asked: 'initialize', verdict: 'agreed' }])
  })

  it('makes a server of both eras a legacy one', async () => {
    const { client } = connect({ ...fixture('modern'), era })
    expect([await client.era(), await client.protocolVersion()]).toEqual(['legacy', '2025-11-25'])
    expect((await client.callTool('echo', { text: 'hi' })).content).toEqual([{ type: 'text', text: 'hi' }])
  })

  it('fails on a modern server, with the versions that one names', async () => {
    const { client } = connect({ ...fixture('bare-modern'), era })
    expect(await failureOf(client.era())).toMatchObject({
      code: 'UNSUPPORTED_VERSION',
      supported: ['2026-07-28'],
    })
  })
})

describe('era: "modern"', () => {
  const era = 'modern'

  it('takes a modern server as usual', async () => {
    const { client } = connect({ ...fixture('bare-modern'), era })
    expect(await client.era()).toBe('modern')
  })

  it('never shakes hands with a legacy server', async () => {
    const { client } = connect({ ...fixture('bare-legacy'), era })
    expect(await failureOf(client.era())).toBeInstanceOf(UnsupportedVersionError)
    expect((await client.probeReport()).evidence).toMatchObject([{ asked: 'server/discover' }])
  })

  it('takes silence for a timeout', async () => {
    const { client } = connect({ ...fixture('silent-on-discover'), era, probeTimeoutMs: 200 })
    expect(await failureOf(client.era())).toMatchObject({
      code: 'TIMEOUT',
      method: 'server/discover',
      timeoutMs: 200,
      message: expect.stringContaining('probeTimeoutMs'),
    })
  })
})

describe('a version that is refused once the era is known', () => {
  it('is asked for again, and the call that was refused is sent once more', async () => {
    const { client } = connect(fixture('bare-modern', '--refuse-calls-once'))
    await client.listTools()
    const calls = ['a', 'b', 'c'].map((text) => client.callTool('echo', { text }))
    expect((await Promise.all(calls)).map(({ content }) => content[0])).toMatchObject([
      { text: 'a' },
      { text: 'b' },
      { text: 'c' },
    ])
    const { structuredContent } = await client.callTool('served')
    expect(structuredContent).toMatchObject({ 'server/discover': 2, 'tools/call': 5 })
    expect((await client.probeReport()).evidence).toHaveLength(2)
  })

  it('disturbs no call that is asked for input meanwhile', async () => {
    const onElicit = () => ({ action: 'accept', content: { who: 'me' } }) as const
    const { client } = connect({
      ...fixture('bare-modern', '--refuse-calls-once'),
      onElicit,
      requestTimeoutMs: 5_000,
    })
    await client.era()
    const [echo, ask] = await Promise.all([client.callTool('echo', { text: 'a' }), client.callTool('ask')])
    expect([echo.content, ask.structuredContent]).toMatchObject([
      [{ text: 'a' }],
      { inputResponses: { who: { action: 'accept', content: { who: 'me' } } } },
    ])
  })

  it('again and again is the end of that call and of no other', async () => {
    const refusal = error(-32022, 'unsupported', { supported: ['2026-07-28'], requested: '2026-07-28' })
    const server = scripted({ 'tools/call': [[refusal], [refusal], [said('at last')]] })
    const { client } = connect(server)
    expect(await failureOf(client.callTool('any'))).toMatchObject({
      code: 'UNSUPPORTED_VERSION',
      supported: ['2026-07-28'],
    })
    expect(textOf(await client.callTool('any'))).toBe('at last')
  })

  it('is asked for again too when it was a list that was refused', async () => {
    const refusal = error(-32022, 'unsupported', { supported: ['2026-07-28'], requested: '2026-07-28' })
    const { client } = connect(scripted({ 'tools/list': [[refusal], [tools({ name: 'a' })]] }))
    expect(await client.listTools()).toMatchObject([{ name: 'a' }])
  })
})
