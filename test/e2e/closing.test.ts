import { describe, expect, it } from 'vitest'
import { TransportClosedError } from '../../src/index.ts'
import { connect, failureOf, fixture, hostings } from './harness.ts'
import { Heard } from './heard.ts'

describe.each(hostings)('closing (%s)', (hosting) => {
  it('fails the calls in flight and all later ones', async () => {
    const { client } = connect({ ...fixture('bare-modern'), hosting })
    await client.era()
    const calls = [client.callTool('slow'), client.listTools(), client.readResource('bare:///a')]
    const failures = Promise.all(calls.map(failureOf))
    await client.close()
    const later = [
      client.callTool('echo'),
      client.listTools(),
      client.era(),
      client.listen({}),
      client.ping(),
    ]
    for (const failure of [...(await failures), ...(await Promise.all(later.map(failureOf)))]) {
      expect(failure).toBeInstanceOf(TransportClosedError)
      expect(failure).toMatchObject({ code: 'TRANSPORT_CLOSED', message: 'The connection is closed' })
    }
    expect(client.state.value).toBe('closed')
    expect(client.state.context.failure).toBeUndefined()
  })

  it.each([
    ['before anything happened', async () => undefined],
    ['while the server is probed', async (stderr: Heard<string>) => stderr.first(() => true)],
  ])('%s leaves nothing', async (_, moment) => {
    const server = { command: 'node', args: ['-e', 'console.error("up"); process.stdin.resume()'] }
    const { client, pids, stderr } = connect({ ...server, hosting })
    const call = failureOf(client.callTool('any'))
    await moment(stderr)
    await client.close()
    expect(pids()).toEqual([])
    expect(await call).toBeInstanceOf(TransportClosedError)
    expect(await client.probeReport()).toMatchObject({ verdict: 'undecided', evidence: [] })
  })

  it('again and at once is one closing', async () => {
    const { client } = connect({ ...fixture('bare-legacy'), hosting })
    await client.era()
    await Promise.all([client.close(), client.close()])
    await client.close()
    expect(client.state.value).toBe('closed')
  })

  it('happens at the end of its block', async () => {
    const { client, pids } = connect({ ...fixture('bare-legacy'), hosting })
    {
      await using held = client
      await held.era()
      expect(pids()).toHaveLength(1)
    }
    expect(pids()).toEqual([])
  })

  it('lets a server end by itself', async () => {
    const { client, stderr } = connect({ ...fixture('bare-legacy'), hosting, killGraceMs: 600_000 })
    await client.era()
    await client.close()
    expect(stderr.all).toEqual([expect.stringContaining('bye {')])
  })

  it('kills a server that ignores the end of its input and SIGTERM', async () => {
    const { client, pids, stderr } = connect({ ...fixture('ignores-sigterm'), hosting, killGraceMs: 50 })
    const ready = new Heard<string>()
    client.on('notification', ({ method }) => ready.hear(method))
    await ready.first((method) => method === 'notifications/ready')
    expect(pids()).toHaveLength(1)
    await client.close()
    expect(stderr.all).toEqual(['SIGTERM? no.'])
    expect(pids()).toEqual([])
  })

  it.each([
    ['', []],
    [' that ignores SIGTERM', ['stubborn']],
    [' without pipes', ['quiet']],
  ])('ends what the server had started too%s', async (_, flags) => {
    const { client, pids } = connect({ ...fixture('family', ...flags), hosting, killGraceMs: 200 })
    await client.era()
    expect(pids()).toHaveLength(2)
    await client.close()
    expect(pids()).toEqual([])
  })

  it('ends the iteration of notifications and the states', async () => {
    const { client } = connect({ ...fixture('bare-legacy'), hosting })
    const states: unknown[] = []
    client.on('state', ({ value }) => states.push(value))
    const notes = client.notifications()
    await client.era()
    const next = notes.next()
    await client.close()
    expect(await next).toEqual({ done: true, value: undefined })
    expect(await client.notifications().next()).toEqual({ done: true, value: undefined })
    expect(states.slice(-2)).toEqual(['closing', 'closed'])
  })
})
