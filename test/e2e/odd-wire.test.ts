import { describe, expect, it } from 'vitest'
import { ask, connect, failureOf, fixture, hostings, textOf } from './harness.ts'
import { legacyScripted, result, said, scripted } from './scripted.ts'

const title = 'Légacy → 🎭'

describe.each(hostings)('a server that writes oddly (%s)', (hosting) => {
  it.each(['noisy', 'split-utf8', 'crlf', 'bom', 'floods-stderr'])('is understood: %s', async (name) => {
    const { client } = connect({ ...fixture(name), hosting })
    expect(await client.serverInfo()).toMatchObject({ title })
    expect(await client.listTools()).toMatchObject([{ name: 'echo', description: 'Répond → 🎭 echo' }])
    expect(textOf(await client.callTool('echo', { text: title }))).toBe(title)
    expect(await client.ping()).toBe(true)
  })

  it('what is no message is dropped with a warning', async () => {
    const { client, warnings } = connect({ ...fixture('bare-modern'), hosting })
    expect(textOf(await client.callTool('noise'))).toBe('that was noise')
    await client.callTool('echo', { text: 'all of it was read' })
    const kinds = new Set(warnings.all.map((warning) => warning.replace(/( \(\d+ so far\))?:.*/s, '')))
    expect([...kinds].sort()).toEqual([
      'a batch was dropped',
      'an invalid message was dropped',
      'the wire carried something that is no message',
    ])
  })

  it('answers to ids nobody asked are dropped, and the right one is taken', async () => {
    const { client, warnings } = connect({ ...fixture('bare-modern'), hosting })
    // Of two calls that are open, an error without an id belongs to neither.
    const open = client.callTool('slow')
    expect(textOf(await client.callTool('odd_ids'))).toBe('right')
    await client.callTool('release')
    expect(textOf(await open)).toBe('released')
    expect(warnings.all.some((warning) => warning.startsWith('an answer nobody waits for'))).toBe(true)
  })

  it('an error without an id belongs to the only call there is', async () => {
    const lost = { id: null, error: { code: -32_700, message: 'unreadable' } }
    const { client } = connect({ ...scripted({ 'tools/call': [[lost]] }), hosting })
    expect(await failureOf(client.callTool('any'))).toMatchObject({ code: -32_700, message: 'unreadable' })
  })
})

describe('a modern result', () => {
  it('without a type is complete', async () => {
    const { client } = connect(fixture('bare-modern'))
    expect(await client.callTool('untagged')).toEqual({ content: [{ type: 'text', text: 'no resultType' }] })
  })

  it('of an unknown type is invalid', async () => {
    const { client } = connect(fixture('bare-modern'))
    expect(await failureOf(client.callTool('weird'))).toMatchObject({
      name: 'InvalidResultError',
      message: 'The answer to tools/call is invalid: unknown resultType "weird"',
    })
  })

  it('that asks for input where that is not allowed is invalid', async () => {
    const asking = result({ resultType: 'input_required', requestState: 's' })
    const { client } = connect(scripted({ 'completion/complete': [[asking]] }))
    const ref = { type: 'ref/prompt', name: 'p' } as const
    expect(await failureOf(client.complete(ref, { name: 'a', value: '' }))).toMatchObject({
      name: 'InvalidResultError',
      message: expect.stringContaining('must not ask for input'),
    })
  })

  it.each([
    ['tools/call', { content: 'text' }, 'content is not an array'],
    ['resources/read', {}, 'contents is not an array'],
    ['prompts/get', { messages: null }, 'messages is not an array'],
  ])('of %s without its one member is invalid', async (method, body, reason) => {
    const { client } = connect(scripted({ [method]: [[result(body)]] }))
    const calls = {
      'tools/call': () => client.callTool('any'),
      'resources/read': () => client.readResource('x:///y'),
      'prompts/get': () => client.getPrompt('any'),
    }
    const failure = await failureOf(calls[method as keyof typeof calls]())
    expect(failure).toMatchObject({ name: 'InvalidResultError', method })
    expect(failure).toMatchObject({ message: expect.stringContaining(reason) })
  })

  it.each([
    ['result and error', { id: '$id', result: {}, error: { code: 1, message: '' } }],
    ['neither', { id: '$id' }],
    ['a result that is no object', { id: '$id', result: 7 }],
    ['an error without a code', { id: '$id', error: { message: 'hm' } }],
    ['another version of JSON-RPC', { jsonrpc: '1.0', id: '$id', result: {} }],
  ])('with %s fails its call, at once', async (_, answer) => {
    const { client } = connect(scripted({ 'tools/call': [[answer], [said('fine')]] }))
    expect(await failureOf(client.callTool('any'))).toMatchObject({ name: 'InvalidResultError' })
    expect(textOf(await client.callTool('any'))).toBe('fine')
  })

  it('keeps the server’s own _meta and loses the protocol’s', async () => {
    const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 's' }, 'example.com/own': 1 }
    const { client } = connect(scripted({ 'tools/call': [[result({ content: [], _meta })]] }))
    expect(await client.callTool('any')).toEqual({ content: [], _meta: { 'example.com/own': 1 } })
  })
})

describe('a batch', () => {
  it('is read in the one revision that has them', async () => {
    const { client, warnings } = connect(fixture('bare-legacy', '--batch', '--version', '2025-03-26'))
    const texts = ['a', 'b', 'c']
    const echoes = await Promise.all(texts.map((text) => client.callTool('echo', { text })))
    expect(echoes.map(textOf)).toEqual(texts)
    expect(await ask(client, 'served')).toMatchObject({ 'tools/call': 4 })
    expect(warnings.all).toEqual([])
  })

  it('is dropped in any other', async () => {
    const scene = [[said('in a batch')], said('alone')]
    const { client, warnings } = connect(legacyScripted('2025-06-18', { 'tools/call': [scene] }))
    expect(textOf(await client.callTool('any'))).toBe('alone')
    expect(warnings.all).toEqual(['a batch was dropped: arrays of messages belong to 2025-03-26 only'])
  })
})

describe('a server that answers nothing at all', () => {
  it.each(['never-reads', 'ignores-sigterm'])('fails by its budgets: %s', async (name) => {
    const { client } = connect({
      ...fixture(name),
      probeTimeoutMs: 100,
      requestTimeoutMs: 100,
      killGraceMs: 50,
    })
    expect(await failureOf(client.listTools())).toMatchObject({ code: 'TIMEOUT', method: 'initialize' })
  })
})
