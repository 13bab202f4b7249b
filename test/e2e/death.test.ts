import { describe, expect, it } from 'vitest'
import {
  ServerGoneError,
  SpawnFailedError,
  TransportClosedError,
  UnsupportedVersionError,
} from '../../src/index.ts'
import { connect, failureOf, fixture, hostings, textOf } from './harness.ts'
import { Heard } from './heard.ts'
import { said, scripted } from './scripted.ts'

describe.each(hostings)('a server that dies (%s)', (hosting) => {
  it.each([
    ['modern', fixture('modern'), 'crash', 3],
    ['legacy', fixture('bare-legacy'), 'die', 5],
  ])(
    'in mid-call (%s) fails every call in flight, with how and with its last words',
    async (_, server, tool, exitCode) => {
      const { client } = connect({ ...server, hosting })
      await client.era()
      const endless = tool === 'die' ? 'slow' : 'hang'
      const calls = [endless, endless, tool].map((name) => failureOf(client.callTool(name)))
      const failures = await Promise.all([...calls, failureOf(client.getPrompt('review'))])
      for (const failure of failures.slice(0, 3)) {
        expect(failure).toBeInstanceOf(ServerGoneError)
        expect(failure).toMatchObject({
          code: 'SERVER_GONE',
          exitCode,
          signal: null,
          stderrTail: ['goodbye, cruel world'],
          message: expect.stringContaining('its last words: goodbye, cruel world'),
        })
      }
      expect(await failureOf(client.callTool('echo', { text: 'anyone?' }))).toBeInstanceOf(ServerGoneError)
      expect(await failureOf(client.listTools())).toBeInstanceOf(ServerGoneError)
      expect(client.state).toMatchObject({
        value: 'closed',
        context: { failure: { name: 'ServerGoneError' } },
      })
    },
  )

  it('by a signal says so', async () => {
    const { client, pids } = connect({ ...fixture('bare-modern'), hosting })
    await client.era()
    const call = failureOf(client.callTool('slow'))
    for (const pid of pids()) process.kill(pid, 'SIGKILL')
    expect(await call).toMatchObject({ name: 'ServerGoneError', exitCode: null, signal: 'SIGKILL' })
  })

  it('at its start says why, with its last words', async () => {
    const { client } = connect({ command: 'sh', args: ['-c', 'no-such-program --stdio'], hosting })
    expect(await failureOf(client.listTools())).toMatchObject({
      name: 'ServerGoneError',
      exitCode: 127,
      stderrTail: [expect.stringContaining('no-such-program')],
    })
    expect(await failureOf(client.era())).toBeInstanceOf(ServerGoneError)
    expect(await client.probeReport()).toMatchObject({ verdict: 'undecided', failure: { exitCode: 127 } })
  })

  it('is noticed by whoever listens to its states', async () => {
    const { client, pids } = connect({ ...fixture('bare-legacy'), hosting })
    const states = new Heard<unknown>()
    client.on('state', ({ value }) => states.hear(value))
    await client.era()
    for (const pid of pids()) process.kill(pid, 'SIGTERM')
    await states.first((state) => state === 'closed')
    expect(states.all).toEqual(expect.arrayContaining([{ legacy: 'ready' }, 'closing', 'closed']))
  })

  it('only of its output is stopped and says so', async () => {
    const { client, pids } = connect({ ...fixture('closes-stdout'), hosting, probeTimeoutMs: 60_000 })
    const failure = await failureOf(client.listTools())
    expect(failure).toBeInstanceOf(TransportClosedError)
    expect(failure).toMatchObject({
      message: expect.stringContaining('closed its stdout but went on running'),
    })
    expect(pids()).toEqual([])
  })

  it.each([
    ['', []],
    [' that ignores SIGTERM', ['stubborn']],
    [' without pipes', ['quiet']],
  ])('leaves nothing of what it had started%s', async (_, flags) => {
    const { client, pids } = connect({ ...fixture('family', ...flags), hosting })
    await client.era()
    expect(pids()).toHaveLength(2)
    expect(await failureOf(client.callTool('die'))).toMatchObject({ name: 'ServerGoneError', exitCode: 7 })
    expect(pids()).toEqual([])
  })
})

describe.each(hostings)('a command that cannot be started (%s)', (hosting) => {
  it.each([
    ['is missing', { command: 'no-such-command-anywhere' }, 'not found in PATH'],
    ['is missing where it is said to be', { command: './no/such/file' }, 'there is no file'],
    ['may not be executed', { command: import.meta.filename }, 'may not be executed'],
    ['would run in no folder', { command: 'node', cwd: '/no/such/folder' }, 'does not exist'],
    ['holds a NUL byte', { command: 'node', args: ['a\0b'] }, 'NUL byte'],
  ])('because it %s fails every call, and says what to change', async (_, options, reason) => {
    const { client } = connect({ ...options, hosting })
    const failures = await Promise.all([failureOf(client.era()), failureOf(client.callTool('any'))])
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(SpawnFailedError)
      expect(failure).toMatchObject({ code: 'SPAWN_FAILED', message: expect.stringContaining(reason) })
    }
    expect(client.state.value).toBe('closed')
  })
})

describe('a server that dies', () => {
  it('has its last answers taken first', async () => {
    const { client } = connect(fixture('exits-127'))
    expect(await failureOf(client.era())).toBeInstanceOf(UnsupportedVersionError)
    expect((await client.probeReport()).evidence).toMatchObject([
      { asked: 'server/discover', verdict: 'legacy', reason: 'the answer is no DiscoverResult' },
      { asked: 'initialize', verdict: 'refused', reason: 'the answer names no version' },
    ])
  })

  it('while it is written to fails what was written', async () => {
    const { client, pids } = connect(scripted({ 'tools/call': [[said('fine')]] }))
    expect(textOf(await client.callTool('any'))).toBe('fine')
    const filler = 'x'.repeat(100_000)
    for (const pid of pids()) process.kill(pid, 'SIGSTOP')
    const calls = Array.from({ length: 50 }, () => failureOf(client.callTool('any', { filler })))
    for (const pid of pids()) process.kill(pid, 'SIGKILL')
    for (const failure of await Promise.all(calls)) expect(failure).toBeInstanceOf(ServerGoneError)
  })

  it('takes no other connection with it', async () => {
    const [dying, living] = [connect(fixture('modern')), connect(fixture('modern'))]
    await Promise.all([dying.client.era(), living.client.era()])
    await failureOf(dying.client.callTool('crash'))
    expect(textOf(await living.client.callTool('echo', { text: 'I live' }))).toBe('I live')
  })
})
