import { describe, expect, it } from 'vitest'
import type { Notification, Progress } from '../../src/index.ts'
import { ask, connect, failureOf, fixture, hostings, type Server, textOf } from './harness.ts'
import { Heard } from './heard.ts'

const servers: readonly [string, Server][] = [
  ['modern', fixture('modern')],
  ['legacy', fixture('bare-legacy')],
]
const counted = (to: number) =>
  Array.from({ length: to }, (_, index) => ({
    progress: index + 1,
    total: to,
    message: `${index + 1} of ${to}`,
  }))

describe.each(hostings)('progress (%s)', (hosting) => {
  it.each(servers)('of a %s server comes in order, all of it before the answer', async (_, server) => {
    const { client } = connect({ ...server, hosting })
    const reports: Progress[] = []
    const onProgress = (report: Progress) => reports.push(report)
    expect(textOf(await client.callTool('count', { to: 500 }, { onProgress }))).toBe('counted to 500')
    expect(reports).toEqual(counted(500))
  })

  it.each(servers)('of a %s server reaches the call it belongs to', async (_, server) => {
    const { client } = connect({ ...server, hosting })
    const calls = [3, 5, 2, 4].map(async (to) => {
      const reports: Progress[] = []
      await client.callTool('count', { to }, { onProgress: (report) => reports.push(report) })
      return reports
    })
    expect(await Promise.all(calls)).toEqual([3, 5, 2, 4].map(counted))
  })
})

describe('a token', () => {
  it('is sent only when somebody listens', async () => {
    const { client } = connect(fixture('bare-modern'))
    const tokenOf = async (options = {}) => {
      const { structuredContent } = await client.callTool('mirror', {}, options)
      return Object(structuredContent).params._meta.progressToken
    }
    expect(await tokenOf()).toBeUndefined()
    const minted = [await tokenOf({ onProgress: () => {} }), await tokenOf({ onProgress: () => {} })]
    expect(new Set(minted).size).toBe(2)
    expect(await tokenOf({ progressToken: 0 })).toBe(0)
  })

  it.each(['mine', 42])(
    'of the caller’s own (%j) also brings its reports as notifications',
    async (token) => {
      const { client } = connect(fixture('bare-modern'))
      const notes: Notification[] = []
      client.on('notification', (note) => notes.push(note))
      const reports: Progress[] = []
      const onProgress = (report: Progress) => reports.push(report)
      const slow = client.callTool('slow', {}, { progressToken: token, onProgress })
      await client.callTool('tick', { progress: 0.5, total: 2, message: 'half' })
      await client.callTool('release')
      await slow
      expect(reports).toEqual([{ progress: 0.5, total: 2, message: 'half' }])
      const params = { progressToken: token, progress: 0.5, total: 2, message: 'half' }
      expect(notes).toEqual([{ method: 'notifications/progress', params }])
    },
  )

  it('belongs to one open call at a time', async () => {
    const { client } = connect(fixture('bare-modern'))
    const slow = client.callTool('slow', {}, { progressToken: 'mine' })
    expect(await failureOf(client.callTool('mirror', {}, { progressToken: 'mine' }))).toMatchObject({
      name: 'ConfigError',
      path: ['progressToken'],
    })
    await client.callTool('release')
    await slow
    await client.callTool('mirror', {}, { progressToken: 'mine' })
  })

  it('that is foreign, malformed or late brings nothing', async () => {
    const { client, warnings } = connect(fixture('bare-modern'))
    const notes = new Heard<string>()
    client.on('notification', ({ method }) => notes.hear(method))
    const reports: Progress[] = []
    const call = await client.callTool('late_progress', {}, { onProgress: (report) => reports.push(report) })
    expect(textOf(call)).toBe('answered')
    await client.callTool('echo', { text: 'everything before this was read' })
    expect(reports).toEqual([
      { progress: 1, message: 'yours' },
      { progress: 3, message: 'yours' },
    ])
    expect(notes.all).toEqual([])
    expect(warnings.all.filter((warning) => warning.startsWith('progress nobody waits for'))).toHaveLength(3)
  })
})

describe('a progress listener that throws', () => {
  it('harms neither its call nor the next report', async () => {
    const { client, warnings } = connect(fixture('modern'))
    let heard = 0
    const onProgress = () => {
      heard += 1
      throw new Error('clumsy')
    }
    expect(textOf(await client.callTool('count', { to: 3 }, { onProgress }))).toBe('counted to 3')
    expect(heard).toBe(3)
    expect(warnings.all).toContain('onProgress threw: clumsy')
  })
})

describe('time', () => {
  it('is renewed by progress', async () => {
    const { client } = connect(fixture('bare-modern'))
    await client.era()
    const startedAt = performance.now()
    const slow = client.callTool('slow', {}, { timeoutMs: 250, onProgress: () => {} })
    for (let progress = 1; performance.now() - startedAt < 1_000; progress += 1)
      await client.callTool('tick', { progress })
    await client.callTool('release')
    expect(textOf(await slow)).toBe('released')
  })

  it('in total is not', async () => {
    const { client } = connect({ ...fixture('bare-legacy'), maxTotalTimeoutMs: 600 })
    await client.era()
    const slow = failureOf(client.callTool('slow', {}, { timeoutMs: 250, onProgress: () => {} }))
    let isOver = false
    void slow.then(() => {
      isOver = true
    })
    for (let progress = 1; !isOver; progress += 1) await client.callTool('tick', { progress })
    expect(await slow).toMatchObject({ code: 'TIMEOUT', timeoutMs: 600, method: 'tools/call' })
    expect(await ask(client, 'cancelled')).toMatchObject({ cancelled: [{ reason: expect.any(String) }] })
  })
})
