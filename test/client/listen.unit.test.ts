import { describe, expect, it } from 'vitest'
import { CancelledError, McpClient, type Notification, ServerGoneError } from '../../src/index.ts'
import { FakeTransport, type SentMessage } from '../../src/testing/index.ts'

const listen = 'subscriptions/listen'
const changed = 'notifications/tools/list_changed'
const filter = { toolsListChanged: true }
const gone = new ServerGoneError({ command: 's', exitCode: 1, signal: null, stderrTail: [] })

const tell = (transport: FakeTransport, { id }: SentMessage, method: string, params = {}) =>
  transport.push({ method, params: { ...params, _meta: { 'io.modelcontextprotocol/subscriptionId': id } } })

/** A subscription, and what the server says to it. */
const eras = {
  async modern() {
    const transport = FakeTransport.modern({ answers: { [listen]: 'silence' } })
    const mcp = McpClient.connectStdio({ transport })
    const subscribing = mcp.listen(filter)
    const sent = await transport.nextSent(listen)
    tell(transport, sent, 'notifications/subscriptions/acknowledged', { notifications: filter })
    return { transport, mcp, subscription: await subscribing, change: () => tell(transport, sent, changed) }
  },
  async legacy() {
    const transport = FakeTransport.legacy()
    const mcp = McpClient.connectStdio({ transport })
    return {
      transport,
      mcp,
      subscription: await mcp.listen(filter),
      change: () => transport.push({ method: changed }),
    }
  },
}

describe.each(Object.keys(eras) as (keyof typeof eras)[])('a subscription on a %s server', (era) => {
  it('says what is honoured, and gives its notes until it is closed', async () => {
    const { mcp, subscription, change } = await eras[era]()
    expect(subscription.honoured).toEqual(filter)
    change()
    change()
    const read: Notification[] = []
    for await (const notification of subscription) {
      read.push(notification)
      if (read.length === 2) break
    }
    expect(read.map(({ method }) => method)).toEqual([changed, changed])
    change()
    expect(await subscription[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined })
    await mcp.close()
  })

  it('throws when the server dies, after what it had said', async () => {
    const { transport, mcp, subscription, change } = await eras[era]()
    change()
    transport.die(gone)
    const iterator = subscription[Symbol.asyncIterator]()
    expect((await iterator.next()).value).toMatchObject({ method: changed })
    await expect(iterator.next()).rejects.toBeInstanceOf(ServerGoneError)
    await mcp.close()
  })

  it('drops the tools that were kept when they changed', async () => {
    const { transport, mcp, change } = await eras[era]()
    transport.answer('tools/list', { tools: [], ttlMs: 60_000 })
    await mcp.listTools()
    change()
    await mcp.listTools()
    expect(transport.sentOf('tools/list')).toHaveLength(2)
    await mcp.close()
  })
})

describe('a subscription', () => {
  it('that is closed is ended at the server too', async () => {
    const modern = await eras.modern()
    {
      await using _scoped = modern.subscription
    }
    const [sent] = modern.transport.sentOf(listen)
    const cancelled = await modern.transport.nextSent('notifications/cancelled')
    expect(cancelled.params.requestId).toBe(sent?.id)
    await modern.mcp.close()

    const transport = FakeTransport.legacy()
    const mcp = McpClient.connectStdio({ transport })
    const subscription = await mcp.listen({ resourceSubscriptions: ['file:///a'] })
    await subscription.close()
    await subscription.close()
    expect((await transport.nextSent('resources/unsubscribe')).params).toEqual({ uri: 'file:///a' })
    await mcp.close()
  })

  it('that is refused fails', async () => {
    const error = { code: -32601, message: 'no subscriptions' }
    await using mcp = McpClient.connectStdio({
      transport: FakeTransport.modern({ answers: { [listen]: { error } } }),
    })
    await expect(mcp.listen(filter)).rejects.toMatchObject({ code: -32601 })
  })

  it('that is given up before it was acknowledged is withdrawn', async () => {
    const transport = FakeTransport.modern({ answers: { [listen]: 'silence' } })
    await using mcp = McpClient.connectStdio({ transport })
    const abort = new AbortController()
    const subscribing = mcp.listen(filter, { signal: abort.signal })
    await transport.nextSent(listen)
    abort.abort()
    await expect(subscribing).rejects.toMatchObject({ constructor: CancelledError, method: 'listen' })
    await transport.nextSent('notifications/cancelled')
  })

  it.each([
    [null, 'must be an object'],
    [{ toolsChanged: true }, 'toolsChanged is nothing to subscribe to'],
    [{ resourceSubscriptions: [5] }, 'must be an array of URIs'],
  ])('with a bad filter is refused before anything is sent: %j', async (bad, reason) => {
    const transport = FakeTransport.modern()
    await using mcp = McpClient.connectStdio({ transport })
    await expect(mcp.listen(bad as never)).rejects.toMatchObject({
      name: 'ConfigError',
      path: ['filter'],
      message: expect.stringContaining(reason),
    })
    await mcp.era()
    expect(transport.sentOf(listen)).toEqual([])
  })
})
