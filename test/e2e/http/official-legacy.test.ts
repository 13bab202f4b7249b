import { describe, expect, it } from 'vitest'
import { failureOf, hostings, textOf } from '../harness.ts'
import { Heard } from '../heard.ts'
import { connect } from './harness.ts'
import { official } from './official.ts'

const server = official('official-http-legacy')
const onElicit = () => ({ action: 'accept', content: { who: 'Ada' } }) as const
const withSessions = ['/mcp', '/json', '/resumable']

describe.each(hostings)('the official server of the handshake revisions (%s)', (hosting) => {
  it.each([...withSessions, '/stateless', '/sse'])('is known and called at %s', async (path) => {
    const { client, warnings } = connect(server, { url: server.url(path), hosting })
    expect(await client.era()).toBe('legacy')
    expect(await client.protocolVersion()).toBe('2025-11-25')
    expect(await client.serverInfo()).toMatchObject({ name: 'official-http-legacy' })
    expect(await client.instructions()).toBe('A server to test clients with.')
    expect((await client.listTools()).map(({ name }) => name)).toContain('ask')
    const texts = ['hi', 'ä🎭', ' ', '']
    const echoes = texts.map((text) => client.callTool('echo', { text }))
    expect((await Promise.all(echoes)).map(textOf)).toEqual(texts)
    expect(await failureOf(client.getPrompt('nothing'))).toMatchObject({ code: -32601 })
    expect(await client.ping()).toBe(true)
    expect(warnings.all).toEqual([])
  })

  it.each(withSessions)('has a session at %s, from the handshake to DELETE', async (path) => {
    const { client } = connect(server, { url: server.url(path), hosting })
    await client.era()
    await server.seen()
    await client.callTool('echo', { text: 'hi' })
    expect(await server.order('sessions')).toBe(1)
    await client.close()
    expect(await server.order('sessions')).toBe(0)
    const requests = await server.seen()
    expect(requests.at(-1)?.verb).toBe('DELETE')
    const sessions = new Set(requests.map(({ headers }) => headers['mcp-session-id']))
    const versions = new Set(requests.map(({ headers }) => headers['mcp-protocol-version']))
    expect([sessions.size, sessions.has(undefined), ...versions]).toEqual([1, false, '2025-11-25'])
  })

  it.each(['/mcp', '/resumable', '/sse', '/stateless'])('reports progress in order at %s', async (path) => {
    const { client } = connect(server, { url: server.url(path), hosting })
    const heard: unknown[] = []
    const onProgress = ({ progress }: { readonly progress: number }) => heard.push(progress)
    heard.push(textOf(await client.callTool('count', { to: 50 }, { onProgress })))
    expect(heard).toEqual([...Array.from({ length: 50 }, (_, index) => index + 1), 'counted to 50'])
  })

  it.each([
    ['/mcp', false],
    ['/mcp', true],
    ['/json', true],
    ['/resumable', false],
    ['/sse', false],
    ['/sse', true],
  ])('asks in the middle of a call at %s (aside: %s)', async (path, aside) => {
    const { client } = connect(server, { url: server.url(path), hosting, onElicit })
    expect(textOf(await client.callTool('ask', { aside }))).toBe('Hello, Ada!')
    expect(client.state.value).toEqual({ legacy: 'ready' })
  })

  it.each([...withSessions, '/sse'])('speaks unasked at %s', async (path) => {
    const { client } = connect(server, { url: server.url(path), hosting })
    const filter = { toolsListChanged: true, resourceSubscriptions: ['kept:///a'] }
    const subscription = await client.listen(filter)
    expect(subscription.honoured).toEqual(filter)
    await client.callTool('touch')
    const notes = subscription[Symbol.asyncIterator]()
    const methods = [await notes.next(), await notes.next()].map(({ value }) => value.method).sort()
    expect(methods).toEqual(['notifications/resources/updated', 'notifications/tools/list_changed'])
    await subscription.close()
  })

  it('lets a call go on after it closed its stream', async () => {
    const { client } = connect(server, { url: server.url('/resumable'), hosting })
    const progress = new Heard<number>()
    const onProgress = (report: { readonly progress: number }) => progress.hear(report.progress)
    expect(textOf(await client.callTool('part', {}, { onProgress }))).toBe('whole again')
    expect(progress.all).toEqual([1, 2])
  })

  it.each(['/mcp', '/sse'])('is told by a notification when a call is given up at %s', async (path) => {
    const { client } = connect(server, { url: server.url(path), hosting })
    await client.era()
    await server.seen()
    await failureOf(client.callTool('hang', {}, { timeoutMs: 100 }))
    expect(textOf(await client.callTool('echo', { text: 'still here' }))).toBe('still here')
    const messages = (await server.seen()).map(({ message }) => message)
    const hang = messages.find(({ params } = {}) => Object(params).name === 'hang')
    expect(messages).toContainEqual(
      expect.objectContaining({
        method: 'notifications/cancelled',
        params: { requestId: hang?.id, reason: expect.any(String) },
      }),
    )
  })

  it.each(['/mcp', '/json'])('may forget its sessions at %s, and is told everything again', async (path) => {
    const { client, warnings } = connect(server, { url: server.url(path), hosting, logLevel: 'warning' })
    await client.listen({ resourceSubscriptions: ['kept:///a'] })
    await client.callTool('echo', { text: 'before' })
    const before = Object(await server.order('known'))
    await server.order('forget')
    await server.seen()
    const texts = Array.from({ length: 20 }, (_, index) => `after ${index}`)
    const echoes = texts.map((text) => client.callTool('echo', { text }))
    expect((await Promise.all(echoes)).map(textOf)).toEqual(texts)
    const methods = (await server.seen()).map(({ message }) => message?.method)
    expect(methods.filter((method) => method === 'initialize')).toHaveLength(1)
    expect(await server.order('sessions')).toBe(1)
    const after = Object(await server.order('known'))
    expect(after.executed.echo - before.executed.echo).toBe(20)
    expect(after.levels).toEqual([...before.levels, 'warning'])
    expect(after.subscribed).toEqual([...before.subscribed, 'kept:///a'])
    expect(warnings.all).toEqual([])
  })

  it.each(['/mcp', '/json', '/sse'])('sends 1 MB and 10 MB whole at %s', async (path) => {
    const { client } = connect(server, { url: server.url(path), hosting })
    const sizes = [1_000_000, 10_000_000]
    const results = sizes.map((bytes) => client.callTool('big', { bytes }))
    expect((await Promise.all(results)).map((result) => textOf(result).length)).toEqual(sizes)
  })
})
