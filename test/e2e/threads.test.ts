import { MessageChannel, threadId } from 'node:worker_threads'
import type { Piscina } from 'piscina'
import { describe, expect, it } from 'vitest'
import { TransportClosedError } from '../../src/index.ts'
import { connectionPool } from '../../workers/pool.ts'
import { processLedger } from '../../workers/process-ledger.ts'
import { connect, failureOf, fixture, pathOf, textOf } from './harness.ts'
import { startHost } from './hosts.ts'

const terminateAll = () => Promise.all(connectionPool().threads.map((thread) => thread.terminate()))

describe('connections', () => {
  it('live in threads, many in few', async () => {
    const sessions = Array.from({ length: 12 }, () => connect(fixture('echo')))
    const echoes = sessions.map(({ client }, index) => client.callTool('echo', { text: `${index}` }))
    expect((await Promise.all(echoes)).map(textOf)).toEqual(sessions.map((_, index) => `${index}`))
    const { threads } = connectionPool()
    expect(threads.length).toBeLessThanOrEqual(4)
    expect(threads.map((thread) => thread.threadId)).not.toContain(threadId)
    expect(processLedger.size).toBe(12)
  })

  it('share their threads with any number of others', async () => {
    const pool: Piscina = connectionPool()
    const crowd = Array.from({ length: pool.threads.length * 1_100 }, () => {
      const { port1, port2 } = new MessageChannel()
      const filename = pathOf('../fixtures/threads/stay.ts')
      return { port: port1, task: pool.run(port2, { filename, transferList: [port2] }) }
    })
    const { client } = connect(fixture('echo'))
    expect(textOf(await client.callTool('echo', { text: 'there is room' }))).toBe('there is room')
    for (const { port } of crowd) port.close()
    await Promise.all(crowd.map(({ task }) => task))
  })

  it('need no thread when they are hosted inline', async () => {
    await terminateAll()
    const { client } = connect({ ...fixture('echo'), hosting: 'inline' })
    await client.era()
    await terminateAll()
    expect(textOf(await client.callTool('echo', { text: 'unharmed' }))).toBe('unharmed')
  })
})

describe('a thread that cannot start', () => {
  it('fails every connection that waits for one, at once', async () => {
    const before = new URL('../fixtures/threads/none-starts.mjs', import.meta.url).href
    const host = startHost('again', fixture('echo').args, [before])
    expect(await host.ended).toEqual({ code: 0, signal: null })
    // A thread may be the first of several to fail, or the last.
    const failure = expect.stringMatching(
      /^TransportClosedError: (The worker thread of this connection died|No worker thread can be started: no thread may start here)$/,
    )
    expect(host.stdout.all).toEqual([failure, failure, failure])
  })
})

describe('a thread that dies', () => {
  it('fails the calls of its connections, ends their servers, and is replaced', async () => {
    const sessions = Array.from({ length: 3 }, () => connect(fixture('bare-modern')))
    await Promise.all(sessions.map(({ client }) => client.era()))
    const slow = sessions.flatMap(({ client }) => [
      failureOf(client.callTool('slow')),
      failureOf(client.callTool('slow')),
    ])
    await terminateAll()
    for (const failure of await Promise.all(slow)) {
      expect(failure).toBeInstanceOf(TransportClosedError)
      expect(failure).toMatchObject({ message: 'The worker thread of this connection died' })
    }
    for (const { client, pids } of sessions) {
      expect(client.state).toMatchObject({
        value: 'closed',
        context: { failure: { name: 'TransportClosedError' } },
      })
      expect(await failureOf(client.callTool('echo'))).toBeInstanceOf(TransportClosedError)
      await client.close()
      expect(pids()).toEqual([])
    }
    expect(processLedger.size).toBe(0)
    const { client } = connect(fixture('bare-modern'))
    expect(textOf(await client.callTool('echo', { text: 'a new thread' }))).toBe('a new thread')
  })

  it('ends servers that ignore the end of their input', async () => {
    const { client, pids } = connect({ ...fixture('family', 'stubborn') })
    await client.era()
    expect(pids()).toHaveLength(2)
    await terminateAll()
    await client.close()
    expect(pids()).toEqual([])
  })

  it('ends subscriptions, and the iteration of notifications', async () => {
    const { client } = connect(fixture('bare-modern'))
    const subscription = await client.listen({ toolsListChanged: true })
    const next = failureOf(subscription[Symbol.asyncIterator]().next())
    const note = client.notifications().next()
    await terminateAll()
    expect(await next).toBeInstanceOf(TransportClosedError)
    expect(await note).toEqual({ done: true, value: undefined })
  })

  it('before it had begun fails what waits for it, and leaves no timer', async () => {
    const earlier = connect(fixture('echo'))
    await earlier.client.era()
    await earlier.client.close()
    const before = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const { client } = connect(fixture('bare-modern'))
    const call = failureOf(client.callTool('echo'))
    await terminateAll()
    expect(await call).toBeInstanceOf(TransportClosedError)
    await client.close()
    const after = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    expect(after).toBe(before)
  })

  it('is replaced also after one that died before it was ready', async () => {
    // The second dies while the first one's successor starts.
    await terminateAll()
    await terminateAll()
    for (const text of ['first', 'second']) {
      const { client } = connect(fixture('bare-modern'))
      expect(textOf(await client.callTool('echo', { text }))).toBe(text)
      const slow = failureOf(client.callTool('slow'))
      await terminateAll()
      expect(await slow).toMatchObject({ message: 'The worker thread of this connection died' })
    }
  })

  it('again and again is replaced every time', async () => {
    for (const text of ['first', 'second']) {
      await terminateAll()
      await terminateAll()
      const { client } = connect(fixture('echo'))
      expect(textOf(await client.callTool('echo', { text }))).toBe(text)
    }
  })
})
