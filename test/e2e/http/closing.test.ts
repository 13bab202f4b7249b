import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { TransportClosedError } from '../../../src/index.ts'
import { failureOf, hostings, textOf } from '../harness.ts'
import type { BareExchange } from './bare.ts'
import { channelServer } from './channel.ts'
import { connect, type Listening } from './harness.ts'
import { legacy } from './legacy.ts'
import { modern } from './modern.ts'

const slow = (exchange: BareExchange) => {
  if (exchange.tool === 'streamed')
    exchange.stream().notify('notifications/message', { level: 'info', data: 1 })
}
const acknowledge = (exchange: BareExchange) =>
  exchange.stream().notify('notifications/subscriptions/acknowledged', {
    notifications: {},
    _meta: { 'io.modelcontextprotocol/subscriptionId': exchange.message.id },
  })

/** Servers of every wire, on which calls stay open. */
const servers = {
  modern: () => modern({ 'tools/call': slow, 'subscriptions/listen': acknowledge }),
  legacy: () => legacy({ 'tools/call': slow }),
  'HTTP+SSE': () => channelServer({ 'tools/call': () => undefined }),
}
const wires = Object.keys(servers) as (keyof typeof servers)[]

/** What this process holds, its threads included: how much of each kind. */
function held(): ReadonlyMap<string, number> {
  const counts = new Map([['descriptor', readdirSync('/proc/self/fd').length]])
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

/** Of which kinds there is more now. The servers of these tests have timers of their own, which come and go. */
const grown = (before: ReadonlyMap<string, number>) =>
  [...held()].filter(([kind, count]) => count > (before.get(kind) ?? 0))

/** A life in which everything is left open. */
async function leaveOpen(server: Listening & { readonly url: string }, hosting: (typeof hostings)[number]) {
  const { client } = connect(server, { url: server.url, hosting, headers: async () => ({ a: 'b' }) })
  await client.listen({ toolsListChanged: true })
  const abort = new AbortController()
  const aborted = failureOf(client.callTool('slow', {}, { signal: abort.signal }))
  const calls = [client.callTool('slow'), client.callTool('streamed'), client.callTool('slow')].map(failureOf)
  await failureOf(client.callTool('streamed', {}, { timeoutMs: 50, maxTotalTimeoutMs: 60_000 }))
  abort.abort()
  await aborted
  await client.close()
  await server.idle()
  return Promise.all(calls)
}

describe.each(hostings)('closing (%s)', (hosting) => {
  it.each(wires)('a %s connection fails what is under way, and closes every socket', async (wire) => {
    const server = await servers[wire]()
    for (const failure of await leaveOpen(server, hosting))
      expect(failure).toBeInstanceOf(TransportClosedError)
  })

  it.each(wires)('a %s connection leaves nothing: no timer, socket, port or listener', async (wire) => {
    const server = await servers[wire]()
    await leaveOpen(server, hosting)
    const before = held()
    for (const _life of [1, 2, 3]) await leaveOpen(server, hosting)
    expect(grown(before)).toEqual([])
  })

  it('a connection that failed leaves nothing either', async () => {
    const failing = await modern({ 'server/discover': (exchange) => exchange.send(500) })
    const fail = async () => {
      const { client } = connect(failing, { url: failing.url, hosting })
      await failureOf(client.listTools())
      await client.close()
      await failing.idle()
    }
    await fail()
    const before = held()
    for (const _life of [1, 2, 3]) await fail()
    expect(grown(before)).toEqual([])
  })

  it.each<readonly [string, string]>([
    ['it is probed', 'server/discover'],
    ['it shakes hands', 'initialize'],
    ['the handshake is confirmed', 'notifications/initialized'],
    ['its stream is opened', 'GET'],
  ])('while %s ends at once', async (_, moment) => {
    const server = await legacy({ [moment]: () => undefined })
    const { client } = connect(server, { url: server.url, hosting })
    const call = failureOf(client.callTool('echo'))
    const { left } = await server.exchange(moment)
    await client.close()
    expect(await call).toBeInstanceOf(TransportClosedError)
    await left
  })
})

describe('a client', () => {
  it('closes twice, and is disposed of, as if once', async () => {
    const server = await legacy()
    {
      await using client = connect(server, { url: server.url }).client
      expect(textOf(await client.callTool('echo'))).toBe('echo was called')
      await Promise.all([client.close(), client.close()])
    }
    expect(server.count('DELETE')).toBe(1)
    await server.idle()
  })

  it('that many others share a thread with closes alone', async () => {
    const server = await modern()
    const sessions = Array.from({ length: 20 }, () => connect(server, { url: server.url }))
    await Promise.all(sessions.map(({ client }) => client.era()))
    await Promise.all(sessions.slice(1).map(({ client }) => client.close()))
    expect(textOf(await (sessions[0]?.client.callTool('echo') ?? expect.fail()))).toBe('echo was called')
    await sessions[0]?.client.close()
    await server.idle()
  })
})
