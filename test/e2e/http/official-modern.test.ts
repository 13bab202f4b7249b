import { describe, expect, it } from 'vitest'
import type { Progress } from '../../../src/index.ts'
import { failureOf, hostings, textOf } from '../harness.ts'
import { Heard } from '../heard.ts'
import { connect } from './harness.ts'
import { encoded, modernVersion } from './modern.ts'
import { official } from './official.ts'

const server = official('official-http-modern')
const accept = (word: string) => ({ action: 'accept', content: { word } }) as const

describe.each(hostings)('the official server of 2026-07-28 (%s)', (hosting) => {
  it.each(['/mcp', '/modern', '/stream'])('is known and called at %s', async (path) => {
    const { client, warnings } = connect(server, { url: server.url(path), hosting })
    expect(await client.era()).toBe('modern')
    expect(await client.supportedVersions()).toEqual([modernVersion])
    expect(await client.serverInfo()).toMatchObject({ name: 'official-http-modern' })
    expect(await client.instructions()).toBe('A server to test clients with.')
    expect((await client.listTools()).map(({ name }) => name)).toContain('mirrored')
    const texts = ['hi', 'ä🎭', ' ', '']
    const echoes = texts.map((text) => client.callTool('echo', { text }))
    expect((await Promise.all(echoes)).map(textOf)).toEqual(texts)
    expect(await failureOf(client.callTool('nothing'))).toMatchObject({ code: -32602 })
    expect(await failureOf(client.getPrompt('nothing'))).toMatchObject({ code: -32601 })
    expect(await client.ping()).toBe(false)
    expect(warnings.all).toEqual([])
  })

  it.each(['/mcp', '/stream'])(
    'reports progress and logs, in order, before the answer, at %s',
    async (path) => {
      const heard: unknown[] = []
      const { client } = connect(server, {
        url: server.url(path),
        hosting,
        logLevel: 'info',
        onLog: ({ data }) => heard.push(data),
      })
      const onProgress = ({ progress }: Progress) => heard.push(progress)
      heard.push(textOf(await client.callTool('count', { to: 100 }, { onProgress })))
      const twice = Array.from({ length: 100 }, (_, index) => [index + 1, index + 1]).flat()
      expect(heard).toEqual([...twice, 'counted to 100'])
    },
  )

  it('gets what it wants mirrored into headers, and agrees with it', async () => {
    const { client } = connect(server, { url: server.url('/mcp'), hosting })
    await client.listTools()
    await server.seen()
    const args = { region: 'eu-wést', count: 42, urgent: false }
    expect(textOf(await client.callTool('mirrored', args))).toBe(JSON.stringify(args))
    const [call] = await server.seen()
    expect(call?.headers).toMatchObject({
      'mcp-method': 'tools/call',
      'mcp-name': 'mirrored',
      'mcp-param-region': encoded('eu-wést'),
      'mcp-param-count': '42',
      'mcp-param-urgent': 'false',
    })
  })

  it('refuses a call without them, and gets it again with them', async () => {
    const { client } = connect(server, { url: server.url('/mcp'), hosting })
    await client.era()
    await server.seen()
    expect(textOf(await client.callTool('mirrored', { region: 'eu' }))).toBe('{"region":"eu"}')
    const methods = (await server.seen()).map(({ message }) => message?.method)
    expect(methods).toEqual(['tools/call', 'tools/list', 'tools/call'])
  })

  it('asks on the way', async () => {
    const onElicit = ({ params }: { params: { readonly message?: unknown } }) => accept(`<${params.message}>`)
    const { client } = connect(server, { url: server.url('/mcp'), hosting, onElicit })
    expect(textOf(await client.callTool('ask_name'))).toBe('Hello, <Who are you?>!')
    expect(textOf(await client.callTool('ask_twice'))).toBe('<first> <second>')
    expect(client.state.value).toEqual({ modern: 'ready' })
  })

  it('sees that a call was given up, and hears nothing else of it', async () => {
    const { client } = connect(server, { url: server.url('/mcp'), hosting })
    await client.era()
    await server.seen()
    const abort = new AbortController()
    const hanging = failureOf(client.callTool('hang', {}, { signal: abort.signal }))
    await failureOf(client.callTool('hang', {}, { timeoutMs: 100 }))
    abort.abort()
    expect(await hanging).toMatchObject({ name: 'CancelledError' })
    await client.close()
    await server.idle()
    const calls = await server.seen()
    expect(calls.map(({ message, left }) => [message?.method, left])).toEqual(
      Array(2).fill(['tools/call', true]),
    )
  })

  it('tells of changes to whoever listens, who then asks again', async () => {
    const { client } = connect(server, { url: server.url('/mcp'), hosting })
    const uri = 'kept:///a'
    const before = (await client.listTools()).map(({ name }) => name)
    const subscription = await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] })
    expect(subscription.honoured).toEqual({ toolsListChanged: true, resourceSubscriptions: [uri] })
    const notes = new Heard<string>()
    client.on('notification', ({ method }) => notes.hear(method))
    await client.callTool('touch')
    await notes.first((method) => method === 'notifications/resources/updated')
    await notes.first((method) => method === 'notifications/tools/list_changed')
    const after = (await client.listTools()).map(({ name }) => name)
    expect(after.includes('extra')).toBe(!before.includes('extra'))
    await subscription.close()
  })

  it('lets a resource be kept for as long as it says', async () => {
    const { client } = connect(server, { url: server.url('/mcp'), hosting })
    await client.era()
    await server.seen()
    const reads = [await client.readResource('kept:///a'), await client.readResource('kept:///a')]
    expect(reads).toMatchObject(Array(2).fill({ contents: [{ text: 'All is well.' }] }))
    const [read, ...more] = await server.seen()
    expect(read?.headers['mcp-name']).toBe('kept:///a')
    expect(more).toEqual([])
  })

  it.each([1, 10])('sends %d MB whole', async (megabytes) => {
    const { client } = connect(server, { url: server.url('/mcp'), hosting })
    const bytes = megabytes * 1_000_000
    expect(textOf(await client.callTool('big', { bytes }))).toHaveLength(bytes)
  })
})

describe('the legacy side of the official server of both eras', () => {
  it('serves a client that asks for nothing newer, without a session and a stream', async () => {
    const { client, warnings } = connect(server, { url: server.url('/mcp'), era: 'legacy' })
    expect(await client.protocolVersion()).toBe('2025-11-25')
    expect(textOf(await client.callTool('echo', { text: 'hi' }))).toBe('hi')
    const progress: number[] = []
    await client.callTool('count', { to: 5 }, { onProgress: (report) => progress.push(report.progress) })
    expect(progress).toEqual([1, 2, 3, 4, 5])
    expect(client.state.context.stream).toBe('absent')
    expect(warnings.all).toEqual([])
  })

  it('is refused by the one that has none, by the versions it names', async () => {
    const { client } = connect(server, { url: server.url('/modern'), era: 'legacy' })
    const failure = await failureOf(client.era())
    expect(failure).toMatchObject({ name: 'UnsupportedVersionError', supported: [modernVersion] })
  })
})
