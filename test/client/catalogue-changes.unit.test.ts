import { describe, expect, it } from 'vitest'
import { McpClient } from '../../src/index.ts'
import { FakeTransport } from '../../src/testing/index.ts'
import { deferred } from '../model/deferred.ts'
import { connected } from './toolbox.ts'

describe('a change of the catalogue', () => {
  const acknowledged = (id: unknown) => ({
    method: 'notifications/subscriptions/acknowledged',
    params: {
      _meta: { 'io.modelcontextprotocol/subscriptionId': id },
      notifications: { toolsListChanged: true },
    },
  })

  it('is subscribed to once, however many listen, and told once however often it is said', async () => {
    const { mcp, transport } = await connected({ 'subscriptions/listen': 'silence' })
    const changes: unknown[] = []
    const changed = deferred<void>()
    mcp.on('catalogue', (change) => void changes.push(change))
    const stop = mcp.on('catalogue', () => expect.fail('has stopped listening'))
    stop()
    mcp.on('catalogue', () => changed.resolve())
    const { id, params } = await transport.nextSent('subscriptions/listen')
    expect(params.notifications).toEqual({ toolsListChanged: true })
    transport.push(acknowledged(id))
    const note = { _meta: { 'io.modelcontextprotocol/subscriptionId': id } }
    for (const _again of [1, 2, 3])
      transport.push({ method: 'notifications/tools/list_changed', params: note })
    await changed.promise
    expect(changes).toEqual([{ path: [] }])
    expect(transport.sentOf('subscriptions/listen')).toHaveLength(1)
    await mcp.close()
  })

  it('that nobody can be told of is warned about', async () => {
    const warned = deferred<string>()
    const { mcp } = await connected({}, { onWarn: warned.resolve })
    mcp.on('catalogue', () => {})
    expect(await warned.promise).toContain('changes of the tools go unnoticed')
    await mcp.close()
  })

  it('is warned about too when the server ends the subscription, not when the connection ends', async () => {
    const warned = deferred<string>()
    const { mcp, transport } = await connected(
      { 'subscriptions/listen': 'silence' },
      { onWarn: warned.resolve },
    )
    mcp.on('catalogue', () => {})
    const sent = await transport.nextSent('subscriptions/listen')
    transport.push(acknowledged(sent.id))
    transport.respond(sent, {})
    expect(await warned.promise).toContain('the server ended the subscription')
    await mcp.close()
    for (const end of [(wire: FakeTransport) => wire.die(), () => {}]) {
      const other = await connected({ 'subscriptions/listen': 'silence' })
      other.mcp.on('catalogue', () => {})
      const { id } = await other.transport.nextSent('subscriptions/listen')
      other.transport.push(acknowledged(id))
      end(other.transport)
      await other.mcp.close()
      expect(other.warned).toEqual([])
    }
  })

  it('is not subscribed to where the server never says it, nor where it says it unasked', async () => {
    const fakes = [
      FakeTransport.modern({ capabilities: { tools: {} } }),
      FakeTransport.legacy({ capabilities: { tools: { listChanged: true } } }),
    ]
    for (const transport of fakes) {
      const mcp = McpClient.connectStdio({ transport, onWarn: expect.fail })
      mcp.on('catalogue', () => {})
      await mcp.toolsForLlm()
      await mcp.close()
      expect(transport.sentOf('subscriptions/listen')).toEqual([])
    }
  })
})
