import { describe, expect, it } from 'vitest'
import {
  CancelledError,
  ConfigError,
  McpClient,
  type Progress,
  ProtocolError,
  TransportClosedError,
} from '../../src/index.ts'
import { FakeTransport } from '../../src/testing/index.ts'

const hi = { content: [{ type: 'text', text: 'hi' }] } as const
const silent = { answers: { 'tools/call': 'silence' } } as const

/** What a JavaScript application may pass where the types forbid it. */
const untyped = (value: unknown) => value as never

function connect(transport: FakeTransport, options = {}) {
  return McpClient.connectStdio({ transport, ...options })
}

describe('the calls of a client', () => {
  it('say what they are about, and return what the server answers', async () => {
    const transport = FakeTransport.modern({
      answers: {
        'tools/call': hi,
        'prompts/get': { messages: [] },
        'resources/read': { contents: [] },
        'completion/complete': { completion: { values: ['a'], total: 1 } },
      },
    })
    await using mcp = connect(transport)
    expect(await mcp.callTool('t', { a: 1 })).toEqual(hi)
    expect(await mcp.callTool('bare')).toEqual(hi)
    expect(await mcp.getPrompt('p', { x: 'y' })).toEqual({ messages: [] })
    expect(await mcp.readResource('file:///a')).toEqual({ contents: [] })
    const ref = { type: 'ref/prompt', name: 'p' } as const
    expect(await mcp.complete(ref, { name: 'x', value: 'v' }, { b: 'c' })).toEqual({
      values: ['a'],
      total: 1,
    })
    const sent = transport.sent.map(({ method, params }) => [
      method,
      { ...(params as object), _meta: undefined },
    ])
    expect(sent.slice(1)).toEqual([
      ['tools/call', { name: 't', arguments: { a: 1 } }],
      ['tools/call', { name: 'bare', arguments: {} }],
      ['prompts/get', { name: 'p', arguments: { x: 'y' } }],
      ['resources/read', { uri: 'file:///a' }],
      [
        'completion/complete',
        { ref, argument: { name: 'x', value: 'v' }, context: { arguments: { b: 'c' } } },
      ],
    ])
  })

  it('reject with the error of the server', async () => {
    const error = { code: -32602, message: 'no such tool', data: { tool: 'x' } }
    await using mcp = connect(FakeTransport.modern({ answers: { 'tools/call': { error } } }))
    await expect(mcp.callTool('x')).rejects.toMatchObject({ constructor: ProtocolError, ...error })
  })

  it('return a tool’s own failure', async () => {
    await using mcp = connect(FakeTransport.modern({ answers: { 'tools/call': { ...hi, isError: true } } }))
    expect(await mcp.callTool('x')).toEqual({ ...hi, isError: true })
  })

  it('fail once the client is closed, before and after', async () => {
    const mcp = connect(FakeTransport.modern(silent))
    const before = mcp.callTool('x')
    before.catch(() => {})
    await mcp.close()
    await expect(before).rejects.toBeInstanceOf(TransportClosedError)
    await expect(mcp.callTool('x')).rejects.toBeInstanceOf(TransportClosedError)
    await expect(mcp.era()).rejects.toBeInstanceOf(TransportClosedError)
    await mcp.close()
  })

  it.each([
    ['arguments', () => ({ args: 'text' })],
    ['arguments', () => ({ args: { big: 1n } })],
    ['arguments', () => ({ args: { toJSON: () => 'text' } })],
    ['name', () => ({ name: 5 })],
    ['timeoutMs', () => ({ options: { timeoutMs: -1 } })],
    ['maxTotalTimeoutMs', () => ({ options: { maxTotalTimeoutMs: Number.NaN } })],
    ['progressToken', () => ({ options: { progressToken: 1.5 } })],
    ['progressToken', () => ({ options: { progressToken: {} } })],
    ['refresh', () => ({ options: { refresh: true } })],
  ])('refuse a bad %s before anything is sent', async (option, make) => {
    const {
      name = 'x',
      args = {},
      options = {},
    } = make() as { name?: unknown; args?: unknown; options?: unknown }
    const transport = FakeTransport.modern({ answers: { 'tools/call': hi } })
    await using mcp = connect(transport)
    const failure = await mcp
      .callTool(untyped(name), untyped(args), untyped(options))
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConfigError)
    expect((failure as ConfigError).path[0]).toBe(option)
    await mcp.era()
    expect(transport.sentOf('tools/call')).toEqual([])
  })
})

describe('an abort', () => {
  it('before the call sends nothing', async () => {
    const transport = FakeTransport.modern(silent)
    await using mcp = connect(transport)
    const reason = new Error('changed my mind')
    await expect(mcp.callTool('x', {}, { signal: AbortSignal.abort(reason) })).rejects.toMatchObject({
      constructor: CancelledError,
      method: 'tools/call',
      cause: reason,
    })
    await mcp.era()
    expect(transport.sentOf('tools/call')).toEqual([])
  })

  it('while the server is not known yet sends nothing', async () => {
    const transport = FakeTransport.modern(silent)
    await using mcp = connect(transport)
    const abort = new AbortController()
    const call = mcp.callTool('x', {}, { signal: abort.signal })
    abort.abort()
    await expect(call).rejects.toBeInstanceOf(CancelledError)
    await mcp.era()
    expect(transport.sentOf('tools/call')).toEqual([])
  })

  it('after the call was sent tells the server', async () => {
    const transport = FakeTransport.modern(silent)
    await using mcp = connect(transport)
    const abort = new AbortController()
    const call = mcp.callTool('x', {}, { signal: abort.signal })
    const { id } = await transport.nextSent('tools/call')
    abort.abort('enough')
    await expect(call).rejects.toMatchObject({ constructor: CancelledError, cause: 'enough' })
    expect((await transport.nextSent('notifications/cancelled')).params).toMatchObject({ requestId: id })
  })

  it('after the answer does nothing', async () => {
    const transport = FakeTransport.modern({ answers: { 'tools/call': hi } })
    await using mcp = connect(transport)
    const abort = new AbortController()
    expect(await mcp.callTool('x', {}, { signal: abort.signal })).toEqual(hi)
    abort.abort()
    await mcp.callTool('x')
    expect(transport.sentOf('notifications/cancelled')).toEqual([])
  })

  it('ends a list as well', async () => {
    const transport = FakeTransport.modern({ answers: { 'tools/list': 'silence' } })
    await using mcp = connect(transport)
    const abort = new AbortController()
    const list = mcp.listTools({ signal: abort.signal })
    await transport.nextSent('tools/list')
    abort.abort()
    await expect(list).rejects.toMatchObject({ constructor: CancelledError, method: 'tools/list' })
    await transport.nextSent('notifications/cancelled')
  })
})

describe('meta', () => {
  it('crosses beside the protocol’s own keys', async () => {
    const transport = FakeTransport.modern({ answers: { 'tools/call': hi } })
    await using mcp = connect(transport)
    await mcp.callTool('x', {}, { meta: { 'com.example/trace': { id: 1 }, traceparent: 'p' } })
    const { params } = await transport.nextSent('tools/call')
    expect(params._meta).toMatchObject({
      'com.example/trace': { id: 1 },
      traceparent: 'p',
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    })
  })

  it.each([
    ['progressToken'],
    ['io.modelcontextprotocol/protocolVersion'],
    ['io.modelcontextprotocol/anything'],
  ])('must not hold %s, which is the protocol’s own', async (key) => {
    await using mcp = connect(FakeTransport.modern())
    await expect(mcp.callTool('x', {}, { meta: { [key]: 1 } })).rejects.toMatchObject({
      name: 'ConfigError',
      path: ['meta', key],
    })
  })

  it('must be JSON', async () => {
    await using mcp = connect(FakeTransport.modern())
    await expect(mcp.callTool('x', {}, { meta: { big: 1n } })).rejects.toMatchObject({
      name: 'ConfigError',
      path: ['meta'],
    })
  })
})

describe('progress', () => {
  it('reaches its call, in order, under a token that is minted', async () => {
    const transport = FakeTransport.modern(silent)
    await using mcp = connect(transport)
    const reports: Progress[] = []
    const call = mcp.callTool('x', {}, { onProgress: (report) => void reports.push(report) })
    const sent = await transport.nextSent('tools/call')
    const { progressToken } = sent.params._meta as { progressToken: unknown }
    for (const progress of [1, 2])
      transport.push({ method: 'notifications/progress', params: { progressToken, progress, total: 2 } })
    transport.respond(sent, hi)
    await call
    transport.push({ method: 'notifications/progress', params: { progressToken, progress: 3 } })
    expect(reports).toEqual([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ])
  })

  it('arrives as a notification too under a token of one’s own', async () => {
    const transport = FakeTransport.modern(silent)
    await using mcp = connect(transport)
    const notes = mcp.notifications()
    const call = mcp.callTool('x', {}, { progressToken: 'mine' })
    const sent = await transport.nextSent('tools/call')
    const params = { progressToken: 'mine', progress: 1 }
    transport.push({ method: 'notifications/progress', params })
    expect((await notes.next()).value).toEqual({ method: 'notifications/progress', params })
    await expect(mcp.callTool('y', {}, { progressToken: 'mine' })).rejects.toMatchObject({
      path: ['progressToken'],
    })
    transport.respond(sent, hi)
    await call
  })

  it('does not harm its call when the listener throws', async () => {
    const transport = FakeTransport.modern(silent)
    const warned: string[] = []
    await using mcp = connect(transport, { onWarn: (message: string) => void warned.push(message) })
    const onProgress = () => {
      throw new Error('oops')
    }
    const call = mcp.callTool('x', {}, { progressToken: 1, onProgress })
    const sent = await transport.nextSent('tools/call')
    transport.push({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } })
    transport.respond(sent, hi)
    expect(await call).toEqual(hi)
    expect(warned).toEqual(['onProgress threw: oops'])
  })
})

it('takes arguments of any type that is an object, and refuses what is none as JSON', async () => {
  interface Sum {
    readonly a: number
    readonly b?: number
  }
  const transport = FakeTransport.modern({ answers: { 'tools/call': { content: [] } } })
  const mcp = McpClient.connectStdio({ transport })
  const sum: Sum = { a: 1 }
  await mcp.callTool('sum', sum)
  expect((await transport.nextSent('tools/call')).params.arguments).toEqual({ a: 1 })
  for (const args of [[1], () => {}, new Date(), { a: 5n }])
    await expect(mcp.callTool('sum', args)).rejects.toMatchObject({ code: 'CONFIG', path: ['arguments'] })
  expect(transport.sentOf('tools/call')).toHaveLength(1)
  await mcp.close()
})
