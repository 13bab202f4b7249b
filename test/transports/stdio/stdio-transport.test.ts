import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ServerGoneError, TransportClosedError } from '../../../src/errors.ts'
import { StdioTransport } from '../../../src/transports/stdio/stdio-transport.ts'
import {
  fixture,
  isRunning,
  livingPids,
  never,
  notification,
  opened,
  type Recorder,
  request,
  transportFor,
} from './harness.ts'

const isReady = ({ method }: { method?: unknown }) => method === 'notifications/ready'

function groupOf(record: Recorder): number {
  return record.all('spawned')[0]?.group ?? Number.NaN
}

async function grandchildOf(record: Recorder): Promise<number> {
  const { params } = await record.find(({ method }) => method === 'notifications/grandchild')
  return Number(Object(params).pid)
}

describe('opening', () => {
  it('starts the server as the leader of a process group of its own', async () => {
    const { record } = await opened(fixture('crlf'))
    expect(record.heard).toEqual([{ event: 'spawned', group: expect.any(Number) }])
    expect(livingPids(groupOf(record))).toEqual([groupOf(record)])
  })

  it('hands over arguments, environment and working directory untouched', async () => {
    const args = ['$HOME', '*', 'two words', '"quoted"', "it's", '', '\\', 'ünïcödé 🎭', 'a\nb']
    const program =
      'console.log(JSON.stringify({ args: process.argv.slice(1), env: process.env, cwd: process.cwd() }))'
    const options = {
      args: ['-e', program, '--', ...args],
      env: { ONLY: 'this $PATH' },
      inheritEnv: false,
      cwd: '/',
    }
    const { record } = await opened({ command: process.execPath, ...options })
    expect(await record.find(() => true)).toEqual({ args, env: { ONLY: 'this $PATH' }, cwd: '/' })
  })

  it('layers the environment over the inherited one', async () => {
    const program = 'console.log(JSON.stringify(process.env))'
    const { record } = await opened({
      command: process.execPath,
      args: ['-e', program],
      env: { HOME: '/given' },
    })
    expect(await record.find(() => true)).toMatchObject({ HOME: '/given', PATH: process.env.PATH })
  })

  it('that was aborted starts nothing', async () => {
    const { transport, record } = transportFor(fixture('crlf'))
    const abort = new AbortController()
    const opening = transport.open(record, abort.signal)
    abort.abort(new Error('changed my mind'))
    await expect(opening).rejects.toThrow(TransportClosedError)
    expect(record.heard).toEqual([])
  })

  it('that was overtaken by a close starts nothing', async () => {
    const { transport, record } = transportFor(fixture('crlf'))
    const opening = transport.open(record, never)
    await transport.close()
    await expect(opening).rejects.toThrow(TransportClosedError)
    expect(record.heard).toEqual([])
  })

  it('happens once', async () => {
    const { transport, record } = await opened(fixture('crlf'))
    await expect(transport.open(record, never)).rejects.toThrow('opened once')
  })

  it('works with options that crossed a thread', async () => {
    const { transport, record } = await opened(structuredClone(fixture('crlf')))
    transport.send(request(1, 'ping'))
    expect(await record.answer(1)).toMatchObject({ result: {} })
  })
})

describe('the wire', () => {
  it('drops what is sent before it is open and after it is closed', async () => {
    const { transport, record } = transportFor(fixture('crlf'))
    transport.send(request(1, 'ping'))
    await transport.open(record, never)
    transport.send(request(2, 'ping'))
    expect(await record.answer(2)).toMatchObject({ result: {} })
    expect(record.messages).toHaveLength(1)
    await transport.close()
    transport.send(request(3, 'ping'))
    expect(record.names.at(-1)).toBe('closed')
  })

  it('delivers a line of 70 MB whole when the limit allows it', async () => {
    const { transport, record } = await opened({ ...fixture('huge-line'), maxMessageBytes: 80_000_000 })
    transport.send(request(1, 'tools/call', { name: 'huge' }))
    await record.answer(1)
    expect(record.all('message')[0]?.text.length).toBeGreaterThan(70_000_000)
  })

  it.each(['huge', 'huge_id_last'])(
    'loses only the call whose answer (%s) is over the limit',
    async (name) => {
      const { transport, record } = await opened(fixture('huge-line'))
      transport.send(request(1, 'tools/call', { name }))
      transport.send(request(2, 'ping'))
      await record.answer(2)
      expect(record.all('oversize')).toEqual([
        { event: 'oversize', id: 1, maxMessageBytes: 64 * 1024 * 1024 },
      ])
      expect(record.messages).toHaveLength(1)
    },
  )

  it('reads stderr all the time, in lines', async () => {
    const { transport, record } = await opened(fixture('floods-stderr'))
    transport.send(request(1, 'ping'))
    await record.answer(1)
    await record.until((heard) => heard.all('stderr').find(({ line }) => line === 'last line'))
    expect(record.all('stderr')).toHaveLength(50_002)
    expect(record.all('stderr').at(-2)?.line).toBe(`${'y'.repeat(8192)}…`)
  })
})

describe('a server that dies', () => {
  it('is reported once, with how and with its last words, after its last answers', async () => {
    const { record } = await opened(fixture('exits-127'))
    const failure = await record.failure()
    expect(failure).toBeInstanceOf(ServerGoneError)
    expect(failure).toMatchObject({
      exitCode: 127,
      signal: null,
      stderrTail: ['first complaint', 'sh: 1: some-server: not found'],
      message: expect.stringContaining('exited with code 127; its last words: sh: 1: some-server: not found'),
    })
    expect(record.messages).toMatchObject([{ id: 1 }, { id: 2 }])
    expect(record.names.slice(-2)).toEqual(['reaped', 'closed'])
  })

  it('by a signal is reported with it', async () => {
    const { record } = await opened(fixture('never-reads'))
    await record.find(isReady)
    process.kill(groupOf(record), 'SIGKILL')
    expect(await record.failure()).toMatchObject({ exitCode: null, signal: 'SIGKILL' })
  })

  it('keeps only as many last words as asked for', async () => {
    const { record } = await opened({ ...fixture('exits-127'), stderrLines: 1 })
    expect(await record.failure()).toMatchObject({ stderrTail: ['sh: 1: some-server: not found'] })
  })

  it('while it is written to breaks nothing', async () => {
    const { transport, record } = await opened(fixture('dies-on-discover'))
    for (let id = 1; id <= 1000; id += 1)
      transport.send(request(id, 'server/discover', { filler: 'x'.repeat(1000) }))
    expect(await record.failure()).toMatchObject({
      exitCode: 1,
      stderrTail: [expect.stringContaining('panic')],
    })
    transport.send(request(1001, 'ping'))
  })

  it('survives the probe when it was handshaken first', async () => {
    const { transport, record } = await opened(fixture('dies-on-discover'))
    transport.send(request(1, 'initialize', { protocolVersion: '2025-11-25' }))
    transport.send(request(2, 'server/discover'))
    expect(await record.answer(2)).toMatchObject({ error: { code: -32601 } })
  })

  it('after a close was asked for is no failure', async () => {
    const { transport, record } = await opened(fixture('never-reads'))
    await record.find(isReady)
    const closing = transport.close()
    process.kill(groupOf(record), 'SIGKILL')
    await closing
    expect(await record.failure()).toBeUndefined()
  })
})

describe('a server that closes its stdout', () => {
  it('and goes on running is stopped, and the report says why', async () => {
    const { record } = await opened(fixture('closes-stdout'))
    const failure = await record.failure()
    expect(failure).toBeInstanceOf(TransportClosedError)
    expect(failure?.message).toContain('closed its stdout but went on running')
    expect(record.messages).toMatchObject([{ id: 1 }])
  })

  it('and exits is reported with its exit code', async () => {
    const { record } = await opened(fixture('closes-stdout', ['exits']))
    expect(await record.failure()).toMatchObject({ code: 'SERVER_GONE', exitCode: 3 })
  })
})

describe('what a dead server leaves behind', () => {
  it.each([
    ['holds its stdout open', []],
    ['has no pipes', ['quiet']],
    ['ignores SIGTERM', ['stubborn']],
    ['ignores SIGTERM and writes without end', ['stubborn', 'chatters']],
  ])('is killed when it %s', async (_, flags) => {
    const { transport, record } = await opened(fixture('grandchild', flags))
    const pid = await grandchildOf(record)
    expect(livingPids(groupOf(record)).sort()).toEqual([groupOf(record), pid].sort())
    transport.send(notification('exit', { code: 9 }))
    expect(await record.failure()).toMatchObject({ exitCode: 9 })
    expect(isRunning(pid)).toBe(false)
  })

  it.each([
    ['holds its stdout open', []],
    ['ignores SIGTERM', ['stubborn']],
  ])('is killed by a close too when it %s', async (_, flags) => {
    const { transport, record } = await opened({ ...fixture('grandchild', flags), killGraceMs: 300 })
    const pid = await grandchildOf(record)
    await transport.close()
    expect(isRunning(pid)).toBe(false)
    expect(await record.failure()).toBeUndefined()
  })

  it.each([
    ['silent', ['escapes']],
    ['chatting', ['escapes', 'chatters']],
  ])('does not hang us when it left the group with our pipe in hand, %s', async (_, flags) => {
    const { transport, record } = await opened(fixture('grandchild', flags))
    const pid = await grandchildOf(record)
    try {
      transport.send(notification('exit', { code: 9 }))
      expect(await record.failure()).toMatchObject({ exitCode: 9 })
    } finally {
      process.kill(pid, 'SIGKILL')
    }
  })
})

describe('closing', () => {
  it('lets a server end by itself when its stdin ends', async () => {
    const { transport, record } = await opened({ ...fixture('crlf'), killGraceMs: 600_000 })
    transport.send(request(1, 'ping'))
    await transport.close()
    expect(record.names).toEqual(['spawned', 'message', 'reaped', 'closed'])
    expect(await record.failure()).toBeUndefined()
  })

  it('can be asked for at any time, again and again', async () => {
    const { transport, record } = await opened(fixture('crlf'))
    await Promise.all([transport.close(), transport.close()])
    await transport.close()
    expect(record.all('closed')).toHaveLength(1)
    await new StdioTransport(fixture('crlf')).close()
  })

  it('ends a server that never reads, with whatever waits to be written to it', async () => {
    const { transport, record } = await opened({ ...fixture('never-reads'), killGraceMs: 50 })
    await record.find(isReady)
    for (let id = 1; id <= 20; id += 1) transport.send(request(id, 'ping', { filler: 'x'.repeat(1_000_000) }))
    await transport.close()
    expect(await record.failure()).toBeUndefined()
  })

  it('kills a server that ignores SIGTERM', async () => {
    const { transport, record } = await opened({ ...fixture('ignores-sigterm'), killGraceMs: 50 })
    await record.find(isReady)
    await transport.close()
    expect(record.all('stderr').map(({ line }) => line)).toEqual(['SIGTERM? no.'])
    expect(await record.failure()).toBeUndefined()
  })

  it('waits for the end of a server that is dying already', async () => {
    const { transport, record } = await opened({ ...fixture('grandchild', ['stubborn']), killGraceMs: 300 })
    const pid = await grandchildOf(record)
    process.kill(groupOf(record), 'SIGKILL')
    await transport.close()
    expect(isRunning(pid)).toBe(false)
    expect(record.names.at(-1)).toBe('closed')
  })
})

describe('a server that asks and reads no answer', () => {
  it('is answered up to a bound, and calls are still written', async () => {
    const { transport, record } = await opened(fixture('never-reads'))
    const answer = {
      kind: 'response',
      id: 'q',
      text: JSON.stringify({ id: 'q', result: 'x'.repeat(100_000) }),
    } as const
    // A turn each, so that what was sent is being written.
    for (let count = 0; count < 100; count++) {
      transport.send(answer)
      await setImmediate()
    }
    const refused = record.all('noise').length
    expect(refused).toBeGreaterThan(40)
    expect(refused).toBeLessThan(70)
    expect(record.all('noise')[0]?.sample).toBe('the answer to request q was not sent: the server reads none')
    transport.send(request(1, 'tools/call'))
    expect(record.all('noise')).toHaveLength(refused)
  })
})

describe('a wire that is paused', () => {
  const flood = { name: 'flood', arguments: { count: 10_000, bytes: 1_000 } }
  const notes = (record: Recorder) => record.all('message').length

  async function heldBack(record: Recorder, transport: StdioTransport, round: number): Promise<number> {
    transport.send(request(100 + round, 'tools/call', { name: 'held' }))
    return record.until((so) => {
      const line = so.all('stderr')[round]?.line
      return line === undefined ? undefined : Number(line.replace('held ', ''))
    })
  }

  it('is read no further, so that the system holds the server back, and then to the end', async () => {
    const { transport, record } = await opened(fixture('floods'))
    transport.pause()
    transport.send(request(1, 'tools/call', flood))
    const held: number[] = []
    // Each round is a turn in which a wire that was read would lose what the pipe holds.
    for (let round = 0; round < 50; round++) held.push(await heldBack(record, transport, round))
    expect(Math.min(...held)).toBeGreaterThan(9_000_000)
    expect(notes(record)).toBe(0)
    transport.resume()
    await record.answer(1)
    expect(notes(record)).toBe(10_001)
  })

  it('still tells everything that was written before the end', async () => {
    const program =
      'process.stdout.write(\'{"id":1}\\n{"id":2}\\n\', () => process.stderr.write(\'written\\n\'))'
    const { transport, record } = await opened({ command: process.execPath, args: ['-e', program] })
    transport.pause()
    await record.failure()
    expect(record.messages).toEqual([{ id: 1 }, { id: 2 }])
  })
})
