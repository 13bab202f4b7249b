import { describe, expect, it } from 'vitest'
import { McpClient, type Notification, type Trace } from '../../src/index.ts'
import { FakeTransport } from '../../src/testing/index.ts'

const note = (n: number) => ({ method: 'notifications/example', params: { n } })

async function connected(options = {}) {
  const transport = FakeTransport.modern()
  const warned: string[] = []
  const mcp = McpClient.connectStdio({
    transport,
    onWarn: (message) => void warned.push(message),
    ...options,
  })
  await mcp.era()
  return { transport, mcp, warned }
}

describe('the notifications of a server', () => {
  it('can be iterated by any number of readers, each from its own beginning, until the connection ends', async () => {
    const { transport, mcp } = await connected()
    const early = mcp.notifications()
    transport.push(note(1))
    const late = mcp.notifications()
    transport.push(note(2))
    const read = async (notes: AsyncIterable<Notification>) => {
      const all: unknown[] = []
      for await (const { params } of notes) all.push(params.n)
      return all
    }
    const reading = Promise.all([read(early), read(late), read(mcp.notifications())])
    await mcp.close()
    expect(await reading).toEqual([[1, 2], [2], []])
  })

  it('end also when the server dies, and at once for who asks after that', async () => {
    const { transport, mcp } = await connected()
    const notes = mcp.notifications()
    transport.die()
    expect(await notes.next()).toEqual({ done: true, value: undefined })
    await mcp.close()
    expect(await mcp.notifications().next()).toEqual({ done: true, value: undefined })
  })

  it('stop for a reader that leaves, and for nobody else', async () => {
    const { transport, mcp } = await connected()
    const [first, second] = [mcp.notifications(), mcp.notifications()]
    transport.push(note(1))
    for await (const { params } of first) {
      expect(params.n).toBe(1)
      break
    }
    transport.push(note(2))
    expect(await first.next()).toEqual({ done: true, value: undefined })
    expect([(await second.next()).value, (await second.next()).value]).toEqual([note(1), note(2)])
    await mcp.close()
  })

  it('are told to listeners until they stop, also when another one throws', async () => {
    const { transport, mcp, warned } = await connected()
    const heard: unknown[] = []
    mcp.on('notification', () => {
      throw new Error('oops')
    })
    const stop = mcp.on('notification', ({ params }) => heard.push(params.n))
    transport.push(note(1))
    stop()
    stop()
    transport.push(note(2))
    expect(heard).toEqual([1])
    expect(warned).toEqual(['a notification listener threw: oops', 'a notification listener threw: oops'])
    await mcp.close()
  })

  it('that are log messages go to onLog, whatever it does with them', async () => {
    const logged: unknown[] = []
    const { transport, mcp, warned } = await connected({
      onLog: (message: unknown) => {
        logged.push(message)
        throw new Error('full disk')
      },
    })
    const log = (params: object) => transport.push({ method: 'notifications/message', params: { ...params } })
    log({ level: 'warning', logger: 'db', data: { slow: true } })
    log({ level: 'info', data: 'x', logger: 5 })
    log({ level: 'loud', data: 'not a level' })
    expect(logged).toEqual([
      { level: 'warning', logger: 'db', data: { slow: true } },
      { level: 'info', data: 'x' },
    ])
    expect(warned).toEqual(['onLog threw: full disk', 'onLog threw: full disk'])
    await mcp.close()
  })
})

describe('what else a host listens to', () => {
  it('may throw: nothing is harmed, not even by onWarn itself', async () => {
    const angry = () => {
      throw new Error('oops')
    }
    const transport = FakeTransport.modern({ answers: { 'tools/call': { content: [] } } })
    await using mcp = McpClient.connectStdio({ transport, onWarn: angry, onTrace: angry })
    mcp.on('state', angry)
    await mcp.era()
    transport.wire.noise('?')
    expect(await mcp.callTool('x')).toEqual({ content: [] })
  })

  it('is every message on the wire, both ways', async () => {
    const traces: Trace[] = []
    const transport = FakeTransport.modern()
    const mcp = McpClient.connectStdio({ transport, onTrace: (trace) => void traces.push(trace) })
    await mcp.era()
    expect(traces.map(({ direction }) => direction)).toEqual(['sent', 'received'])
    expect(JSON.parse(traces[0]?.text ?? '')).toEqual(transport.sent[0])
    for (const { atMs } of traces) expect(atMs).toBeGreaterThanOrEqual(0)
    await mcp.close()
  })

  it('is what was papered over', async () => {
    const { transport, mcp, warned } = await connected()
    transport.wire.noise('Listening on port 80')
    transport.raw({ jsonrpc: '2.0', id: 99, result: {} })
    expect(warned).toEqual([
      'the wire carried something that is no message: Listening on port 80',
      'an answer nobody waits for was dropped: id 99',
    ])
    await mcp.close()
  })
})
