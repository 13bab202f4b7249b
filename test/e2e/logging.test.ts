import { describe, expect, it } from 'vitest'
import type { LogMessage } from '../../src/index.ts'
import { ask, connect, fixture, hostings, type Server } from './harness.ts'
import { Heard } from './heard.ts'

const servers: readonly [string, Server][] = [
  ['modern', fixture('modern')],
  ['legacy', fixture('bare-legacy')],
]
const levels = (log: Heard<LogMessage>) => log.all.map(({ level }) => level)

describe.each(hostings)('log messages (%s)', (hosting) => {
  it.each(servers)(
    'of a %s server come from the level asked for upwards, before the answer',
    async (_, server) => {
      const log = new Heard<LogMessage>()
      const { client } = connect({ ...server, hosting, logLevel: 'info', onLog: log.hear })
      await client.callTool('log')
      expect(log.all).toEqual([
        { level: 'info', logger: 'fixture', data: { said: 'info' } },
        { level: 'error', logger: 'fixture', data: { said: 'error' } },
      ])
    },
  )

  it.each(servers)('of a %s server can be asked for later, and at another level again', async (_, server) => {
    const log = new Heard<LogMessage>()
    const { client } = connect({ ...server, hosting, onLog: log.hear })
    expect(await client.setLogLevel('error')).toBe(true)
    await client.callTool('log')
    expect(await client.setLogLevel('debug')).toBe(true)
    await client.callTool('log')
    expect(levels(log)).toEqual(['error', 'debug', 'info', 'error'])
  })
})

describe('log messages', () => {
  it('come from no modern server that was not asked for them', async () => {
    const log = new Heard<LogMessage>()
    const { client } = connect({ ...fixture('modern'), onLog: log.hear })
    await client.callTool('log')
    expect(log.all).toEqual([])
  })

  it('are notifications too', async () => {
    const notes = new Heard<string>()
    const { client } = connect({ ...fixture('modern'), logLevel: 'error' })
    client.on('notification', ({ method }) => notes.hear(method))
    await client.callTool('log')
    expect(notes.all).toEqual(['notifications/message'])
  })

  it('are set once at a legacy server, before anything else is asked', async () => {
    const { client } = connect({ ...fixture('bare-legacy'), logLevel: 'warning' })
    expect(await ask(client, 'session')).toMatchObject({ logLevels: ['warning'] })
  })

  it('leave a server without logging alone', async () => {
    const { client, warnings } = connect({ ...fixture('noisy'), logLevel: 'info' })
    expect(await client.setLogLevel('debug')).toBe(false)
    expect(warnings.all.filter((warning) => warning.includes('setLevel'))).toEqual([])
  })

  it('do no harm when their listener throws', async () => {
    const onLog = () => {
      throw new Error('clumsy')
    }
    const { client, warnings } = connect({ ...fixture('modern'), logLevel: 'error', onLog })
    expect(await client.callTool('log')).toMatchObject({ content: [{ text: 'logged' }] })
    expect(warnings.all).toEqual(['onLog threw: clumsy'])
  })

  it('know no other levels than the protocol', async () => {
    const { client } = connect(fixture('bare-legacy'))
    const loud = Object.assign({}, { level: 'loud' }).level as 'error'
    await expect(client.setLogLevel(loud)).rejects.toMatchObject({ name: 'ConfigError', path: ['level'] })
  })
})
