import { describe, expect, it } from 'vitest'
import { connect, failureOf, fixture } from './harness.ts'

const servers = [
  { hosting: 'worker', era: 'modern' },
  { hosting: 'worker', era: 'legacy' },
  { hosting: 'inline', era: 'modern' },
] as const

describe.each(servers)('an official server, $era ($hosting)', (options) => {
  it('gives texts and blobs, of resources and of templates, and refuses what it does not have', async () => {
    const { client } = connect({ ...fixture('modern'), ...options })
    expect(await client.readResource('fixture://readme')).toEqual({
      contents: [{ uri: 'fixture://readme', mimeType: 'text/plain', text: 'All is well.' }],
    })
    const { contents } = await client.readResource('fixture://pixel')
    expect(contents).toMatchObject([{ mimeType: 'application/octet-stream', blob: 'AAH+/w==' }])
    expect((await client.readResource('note:///2')).contents).toMatchObject([{ text: 'note 2' }])
    expect(await client.listResourceTemplates()).toMatchObject([{ uriTemplate: 'note:///{id}' }])
    expect(await failureOf(client.readResource('fixture://nothing'))).toMatchObject({
      name: 'ProtocolError',
      code: -32602,
      data: { uri: 'fixture://nothing' },
    })
    expect(await failureOf(client.getPrompt('nothing'))).toMatchObject({ code: -32602 })
    expect(await failureOf(client.callTool('nothing'))).toMatchObject({ code: -32602 })
  })

  it('renders prompts, completes their arguments, answers calls', async () => {
    const { client } = connect({ ...fixture('modern'), ...options })
    expect(await client.listPrompts()).toMatchObject([
      { name: 'review', title: 'Review', arguments: [{ name: 'language', required: true }] },
    ])
    expect(await client.getPrompt('review', { language: 'raku' })).toEqual({
      description: 'A review of raku',
      messages: [{ role: 'user', content: { type: 'text', text: 'Review this raku code.' } }],
    })
    const ref = { type: 'ref/prompt', name: 'review' } as const
    expect(await client.complete(ref, { name: 'language', value: 'r' })).toMatchObject({
      values: ['raku', 'rust'],
    })
    const template = { type: 'ref/resource', uri: 'note:///{id}' } as const
    expect(await client.complete(template, { name: 'id', value: '' })).toMatchObject({
      values: ['1', '2', '3'],
    })
    const text = 'é 🎭 "quoted" \\ \u2028 \u0000'
    expect(await client.callTool('echo', { text })).toEqual({ content: [{ type: 'text', text }] })
    expect(await client.callTool('fail')).toMatchObject({ isError: true })
    expect(await client.callTool('echo', { text: 7 })).toMatchObject({ isError: true })
  })
})

describe('a call', () => {
  it('carries the caller’s own _meta beside the protocol’s', async () => {
    const { client } = connect({ ...fixture('bare-modern'), clientName: 'tester', clientVersion: '9' })
    const meta = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'com.example/x': [1],
    }
    const { structuredContent } = await client.callTool('mirror', { deep: { a: null } }, { meta })
    expect(structuredContent).toMatchObject({
      method: 'tools/call',
      params: {
        name: 'mirror',
        arguments: { deep: { a: null } },
        _meta: {
          ...meta,
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '9' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    })
  })

  it('carries nothing modern to a legacy server', async () => {
    const { client } = connect(fixture('bare-legacy'))
    const plain = await client.callTool('mirror')
    expect(plain.structuredContent).toEqual({
      jsonrpc: '2.0',
      id: expect.any(Number),
      method: 'tools/call',
      params: { name: 'mirror', arguments: {} },
    })
    const { structuredContent } = await client.callTool('mirror', {}, { meta: { 'com.example/x': 1 } })
    expect(structuredContent).toMatchObject({ params: { _meta: { 'com.example/x': 1 } } })
  })

  it('hands the arguments decided so far on to a completion', async () => {
    const { client } = connect(fixture('bare-modern'))
    const ref = { type: 'ref/prompt', name: 'hello' } as const
    const completion = await client.complete(ref, { name: 'who', value: 'ad' }, { greeting: 'Hi' })
    expect(completion).toEqual({ values: ['ada', 'adam'], total: 2, hasMore: false })
  })

  it.each([
    ['reserved _meta', { meta: { 'io.modelcontextprotocol/logLevel': 'info' } }, ['meta']],
    ['a token in _meta', { meta: { progressToken: 1 } }, ['meta']],
    ['a negative budget', { timeoutMs: -1 }, ['timeoutMs']],
    ['a budget that is no number', { maxTotalTimeoutMs: Number.NaN }, ['maxTotalTimeoutMs']],
  ])('with %s is refused before it is sent', async (_, options, path) => {
    const { client } = connect(fixture('bare-modern'))
    const failure = await failureOf((async () => client.callTool('echo', { text: '' }, options))())
    expect(failure).toMatchObject({ name: 'ConfigError', path: expect.arrayContaining(path) })
    expect((await client.callTool('served')).structuredContent).toMatchObject({ 'tools/call': 1 })
  })
})

describe('ping', () => {
  it('is answered by a legacy server', async () => {
    const { client } = connect(fixture('bare-legacy'))
    expect(await client.ping()).toBe(true)
  })

  it('is something a server may not have', async () => {
    const { client } = connect(fixture('bare-legacy', '--no-ping'))
    expect(await client.ping()).toBe(false)
  })

  it('is nothing modern', async () => {
    const { client } = connect(fixture('bare-modern'))
    expect(await client.ping()).toBe(false)
  })
})
