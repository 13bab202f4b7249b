import { describe, expect, it } from 'vitest'
import { McpClient, ServerGoneError, TransportClosedError, UnsupportedVersionError } from '../../src/index.ts'
import { FakeTransport } from '../../src/testing/index.ts'

const connect = (transport: FakeTransport, options = {}) => McpClient.connectStdio({ transport, ...options })
const noMethod = { error: { code: -32601, message: 'no' } }

describe('what a client knows of its server', () => {
  it('is the same questions in either era', async () => {
    const about = {
      capabilities: { tools: {} },
      serverInfo: { name: 's', version: '2' },
      instructions: 'be kind',
    }
    await using modern = connect(FakeTransport.modern(about))
    await using legacy = connect(FakeTransport.legacy({ ...about, protocolVersion: '2025-03-26' }))
    const known = async (mcp: McpClient) => [
      await mcp.era(),
      await mcp.protocolVersion(),
      await mcp.supportedVersions(),
      await mcp.serverInfo(),
      await mcp.capabilities(),
      await mcp.instructions(),
    ]
    const same = [about.serverInfo, about.capabilities, about.instructions]
    expect(await known(modern)).toEqual(['modern', '2026-07-28', ['2026-07-28'], ...same])
    expect(await known(legacy)).toEqual(['legacy', '2025-03-26', [], ...same])
  })

  it('comes with the evidence of how it was found out', async () => {
    await using mcp = connect(FakeTransport.legacy())
    const report = await mcp.probeReport()
    expect(report).toMatchObject({ verdict: 'legacy', protocolVersion: '2025-11-25', failure: undefined })
    expect(report.evidence.map(({ asked, verdict }) => [asked, verdict])).toEqual([
      ['server/discover', 'legacy'],
      ['initialize', 'agreed'],
    ])
  })

  it('is nothing when the connection failed; the evidence is kept', async () => {
    const discover = { supportedVersions: ['2031-01-01'] }
    const mcp = connect(FakeTransport.modern({ answers: { 'server/discover': discover } }))
    await expect(mcp.era()).rejects.toMatchObject({
      constructor: UnsupportedVersionError,
      supported: ['2031-01-01'],
    })
    const report = await mcp.probeReport()
    expect(report).toMatchObject({ verdict: 'undecided', protocolVersion: undefined })
    expect(report.failure).toBeInstanceOf(UnsupportedVersionError)
    expect(report.evidence).toHaveLength(2)
  })

  it('shows in its state, and who listens hears of every change until they stop', async () => {
    const transport = FakeTransport.modern()
    const mcp = connect(transport)
    const heard: unknown[] = []
    const stop = mcp.on('state', ({ value }) => heard.push(value))
    expect(mcp.state.value).toBe('idle')
    await mcp.era()
    expect(mcp.state).toMatchObject({ value: { modern: 'ready' }, context: { era: 'modern' } })
    stop()
    await mcp.close()
    expect(heard).toEqual(['idle', 'opening', 'probing', { modern: 'ready' }])
    expect(mcp.state.value).toBe('closed')
  })

  it('ends with the server: every call fails with the reason', async () => {
    const transport = FakeTransport.modern({ answers: { 'tools/call': 'silence' } })
    const mcp = connect(transport)
    const call = mcp.callTool('x')
    await transport.nextSent('tools/call')
    transport.die(new ServerGoneError({ command: 's', exitCode: 9, signal: null, stderrTail: ['bye'] }))
    await expect(call).rejects.toMatchObject({
      constructor: ServerGoneError,
      exitCode: 9,
      stderrTail: ['bye'],
    })
    await expect(mcp.listTools()).rejects.toBeInstanceOf(ServerGoneError)
    await expect(mcp.capabilities()).rejects.toBeInstanceOf(ServerGoneError)
  })
})

describe('the lists of a client', () => {
  it('are whole, and kept for as long as the server says', async () => {
    const tool = { name: 'a', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }
    const transport = FakeTransport.modern({ answers: { 'tools/list': { tools: [tool], ttlMs: 60_000 } } })
    await using mcp = connect(transport)
    expect(await mcp.listTools()).toEqual([tool])
    expect(await mcp.listTools()).toEqual([tool])
    expect(transport.sentOf('tools/list')).toHaveLength(1)
    await mcp.listTools({ refresh: true })
    expect(transport.sentOf('tools/list')).toHaveLength(2)
    expect([await mcp.listResources(), await mcp.listResourceTemplates(), await mcp.listPrompts()]).toEqual([
      [],
      [],
      [],
    ])
  })

  it.each(['listTools', 'listResources', 'listResourceTemplates', 'listPrompts'] as const)(
    'are not asked for with what only calls take: %s',
    async (list) => {
      const transport = FakeTransport.modern()
      await using mcp = connect(transport)
      const options = { progressToken: 1, onProgress: () => {}, onTask: () => {}, meta: { a: 1 } }
      for (const [option, value] of Object.entries(options))
        await expect(mcp[list]({ [option]: value })).rejects.toMatchObject({
          name: 'ConfigError',
          path: [option],
          message: expect.stringContaining('is no option'),
        })
      await mcp.era()
      expect(transport.sent.filter(({ method }) => String(method).endsWith('/list'))).toEqual([])
    },
  )

  it('tell the hints of one tool, none of one without, and nothing of one that is not there', async () => {
    const tools = [
      { name: 'a', inputSchema: {}, annotations: { readOnlyHint: true } },
      { name: 'b', inputSchema: {} },
    ]
    await using mcp = connect(FakeTransport.modern({ answers: { 'tools/list': { tools } } }))
    expect(await mcp.toolAnnotations('a')).toEqual({ readOnlyHint: true })
    expect(await mcp.toolAnnotations('b')).toEqual({})
    expect(await mcp.toolAnnotations('c')).toBeUndefined()
  })
})

describe('a ping', () => {
  it('is answered by a legacy server, and unknown to a modern one', async () => {
    await using legacy = connect(FakeTransport.legacy())
    await using modern = connect(FakeTransport.modern())
    expect([await legacy.ping(), await modern.ping()]).toEqual([true, false])
  })

  it('that fails otherwise is an error', async () => {
    await using mcp = connect(
      FakeTransport.legacy({ answers: { ping: { error: { code: -32603, message: 'ill' } } } }),
    )
    await expect(mcp.ping()).rejects.toMatchObject({ code: -32603 })
  })
})

describe('the log level', () => {
  it('is set in either era, where there is logging', async () => {
    const transport = FakeTransport.legacy()
    await using legacy = connect(transport)
    await using modern = connect(FakeTransport.modern())
    await using mute = connect(FakeTransport.legacy({ capabilities: {} }))
    await using odd = connect(FakeTransport.legacy({ answers: { 'logging/setLevel': noMethod } }))
    const set = (mcp: McpClient) => mcp.setLogLevel('warning')
    expect(await Promise.all([legacy, modern, mute, odd].map(set))).toEqual([true, true, false, false])
    expect((await transport.nextSent('logging/setLevel')).params).toMatchObject({ level: 'warning' })
  })

  it('must be one', async () => {
    await using mcp = connect(FakeTransport.modern())
    await expect(mcp.setLogLevel('loud' as never)).rejects.toMatchObject({
      name: 'ConfigError',
      path: ['level'],
    })
  })
})

describe('closing', () => {
  it('before the server is known ends everything', async () => {
    const mcp = connect(FakeTransport.modern({ answers: { 'server/discover': 'silence' } }))
    const call = mcp.callTool('x')
    const era = mcp.era()
    const outcomes = Promise.allSettled([call, era])
    await mcp.close()
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { constructor: TransportClosedError } })
  })

  it('may be asked for at once, and twice', async () => {
    const transport = FakeTransport.modern()
    const mcp = connect(transport)
    await Promise.all([mcp.close(), mcp.close()])
    expect(mcp.state.value).toBe('closed')
  })
})
