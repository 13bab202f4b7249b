import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CallProgress, HookContext, Provider, ToolCall, ToolResult, Trace } from '../../src/index.ts'
import { connect, fixture, hostings, pathOf } from './harness.ts'
import { Heard } from './heard.ts'

const published = (name: string, ...args: readonly string[]) => ({
  command: process.execPath,
  args: [pathOf(`../../node_modules/@modelcontextprotocol/${name}/dist/index.js`), ...args],
})

let lastId = 0
const call = (name: string, args: ToolCall['function']['arguments'] = '', more = {}): ToolCall => ({
  id: `call_${++lastId}`,
  function: { name, arguments: args },
  ...more,
})
const outcome = ({ content, is_error }: ToolResult) => [is_error, content]

describe.each(hostings)('a model’s toolkit (%s)', (hosting) => {
  it('of a modern server is declared, called and answered', async () => {
    const { client } = connect({ ...fixture('modern'), hosting })
    const provider: Provider = client
    const declarations = await provider.toolsForLlm()
    expect(declarations[0]).toMatchObject({
      type: 'function',
      function: {
        name: 'echo',
        description: 'Returns the text.',
        parameters: { type: 'object', properties: { text: { type: 'string' } } },
      },
    })
    const calls = [
      call('echo', { text: 'as an object' }),
      call('echo', '{"text": "as its text"}'),
      call('typed'),
      call('fail'),
      call('echo', '{"text": '),
      call('echo', { wrong: 1 }),
      call('no_such_tool'),
      call('typed_wrong'),
    ]
    const results = await provider.executeToolCalls(calls)
    expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(calls.map(({ id }) => id))
    expect(results.map(outcome)).toEqual([
      [false, 'as an object'],
      [false, 'as its text'],
      [false, '{"celsius":21.5,"sky":"clear"}'],
      [true, 'it did not work'],
      [true, expect.stringContaining('The call of echo was not made: its arguments are not JSON')],
      [true, expect.stringContaining('text')],
      [true, expect.stringContaining('no_such_tool')],
      [true, expect.stringContaining('typed_wrong breaks its own outputSchema')],
    ])
    expect(results[2]?.structured_content).toEqual({ celsius: 21.5, sky: 'clear' })
  })

  it('of the server that has everything: pictures, resources and links are named, never inlined', async () => {
    const { client } = connect({ ...published('server-everything', 'stdio'), hosting })
    const results = await client.executeToolCalls([
      call('get-tiny-image'),
      call('get-resource-reference', { resourceType: 'Text', resourceId: 1 }),
      call('get-resource-reference', { resourceType: 'Blob', resourceId: 2 }),
      call('get-resource-links', { count: 2 }),
      call('get-structured-content', { location: 'Chicago' }),
    ])
    // The server tells the time, and its length differs with the hour.
    const timeless = (text: string) =>
      text.replace(/created at .*/, 'created …').replace(/5\d bytes/, '5… bytes')
    expect(results.map(({ content }) => timeless(content))).toEqual([
      "Here's the image you requested:\n[image: image/png, 4033 bytes]\nThe image above is the MCP logo.",
      `Returning resource reference for Resource 1:
[resource: demo://resource/dynamic/text/1, text/plain]
Resource 1: This is a plaintext resource created …
You can access this resource using the URI: demo://resource/dynamic/text/1`,
      `Returning resource reference for Resource 2:
[resource: demo://resource/dynamic/blob/2, text/plain, 5… bytes]
You can access this resource using the URI: demo://resource/dynamic/blob/2`,
      `Here are 2 resource links to resources available in this server:
[resource link: demo://resource/dynamic/blob/1 (Blob Resource 1, text/plain)] Resource 1: plaintext resource
[resource link: demo://resource/dynamic/text/2 (Text Resource 2, text/plain)] Resource 2: plaintext resource`,
      '{"temperature":36,"conditions":"Light rain / drizzle","humidity":82}',
    ])
    expect(results[4]?.structured_content).toMatchObject({ temperature: 36 })
  })

  it('of the filesystem server reads and writes, and is told what was refused', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-')))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'long.txt'), `${'🎭'.repeat(20)}`)
    const { client } = connect({ ...published('server-filesystem', folder), hosting, maxResultChars: 11 })
    const path = join(folder, 'new.txt')
    const results = await client.executeToolCalls([
      call('write_file', { path, content: 'first' }),
      call('read_text_file', { path }),
      call('read_text_file', { path: join(folder, 'long.txt') }),
      call('read_text_file', { path: '/etc/passwd' }),
    ])
    expect(results.map(({ is_error }) => is_error)).toEqual([false, false, false, true])
    expect(results[1]?.content).toBe('first')
    expect(results[2]?.content).toBe(`${'🎭'.repeat(5)}\n[cut: 30 of 40 characters are not shown]`)
  })

  it('asks once for what a model asks twice, where the server says that it may be asked at once', async () => {
    const sent = new Heard<string>()
    const onTrace = ({ direction, text }: Trace) => direction === 'sent' && sent.hear(text)
    const { client } = connect({ ...fixture('modern'), hosting, onTrace })
    const texts = ['a', 'b', 'a', 'a']
    const results = await client.executeToolCalls(texts.map((text) => call('echo', { text })))
    expect(results.map(({ content }) => content)).toEqual(texts)
    await client.executeToolCalls([call('count', { to: 0 }), call('count', { to: 0 })])
    const made = sent.all.flatMap((text) => /"name":"(echo|count)"/.exec(text)?.[1] ?? [])
    expect(made).toEqual(['echo', 'echo', 'count', 'count'])
  })

  it('reports the progress of each call under the model’s own id', async () => {
    const seen = new Heard<CallProgress>()
    const heard = new Heard<CallProgress>()
    const { client } = connect({ ...fixture('modern'), hosting, onProgress: seen.hear })
    const calls = [call('count', { to: 2 }), call('count', { to: 1 })]
    const results = await client.executeToolCalls(calls, { onProgress: heard.hear })
    expect(results.map(outcome)).toEqual([
      [false, 'counted to 2'],
      [false, 'counted to 1'],
    ])
    const [two, one] = calls.map(({ id }) => id)
    expect(heard.all).toEqual([
      { toolCallId: two, progress: 1, total: 2, message: '1 of 2' },
      { toolCallId: two, progress: 2, total: 2, message: '2 of 2' },
      { toolCallId: one, progress: 1, total: 1, message: '1 of 1' },
    ])
    expect(seen.all).toEqual(heard.all)
  })

  it('brings what a call says of itself back with the server’s question', async () => {
    const contexts: Omit<HookContext, 'signal'>[] = []
    const { client } = connect({
      ...fixture('modern'),
      hosting,
      onElicit: (_, { signal: _signal, ...context }) => {
        contexts.push(context)
        return { action: 'accept', content: { name: 'Ada', greeting: 'Hi' } }
      },
    })
    const wanted = call('ask_name', '{}')
    const [result] = await client.executeToolCalls([wanted], { claim: 'window 7' })
    expect(result?.content).toBe('Hi, Ada!')
    await client.callTool('ask_name')
    expect(contexts).toEqual([
      { claim: 'window 7', toolCall: { id: wanted.id, function: { name: 'ask_name', arguments: {} } } },
      {},
    ])
  })

  it('of a server that died says so, call by call', async () => {
    const { client } = connect({ ...fixture('modern'), hosting })
    const results = await client.executeToolCalls([call('crash'), call('echo', { text: 'there?' })])
    expect(results.map(({ is_error }) => is_error)).toEqual([true, true])
    for (const { content } of results) expect(content).toContain('goodbye, cruel world')
    await expect(client.toolsForLlm()).rejects.toMatchObject({ code: 'SERVER_GONE' })
  })

  it.each(['modern', 'legacy'] as const)('of a %s server tells when it changes', async (era) => {
    const { client } = connect({ ...fixture('modern'), hosting, era })
    const changed = new Heard<unknown>()
    client.on('child', () => expect.fail('a client has no children'))
    client.on('catalogue', changed.hear)
    const names = async () => (await client.toolsForLlm()).map((tool) => tool.function.name)
    expect(await names()).not.toContain('extra')
    await client.executeToolCalls([call('touch')])
    expect(await changed.first(() => true)).toEqual({ path: [] })
    expect(await names()).toContain('extra')
  })
})

describe('an abort', () => {
  it('ends the call under way, and those behind it never begin', async () => {
    const { client, stderr } = connect(fixture('modern'))
    const abort = new AbortController()
    const begun = new Heard<unknown>()
    const calls = [call('count', { to: 1 }), call('hang'), call('echo', { text: 'never' })]
    const batch = client.executeToolCalls(calls, { signal: abort.signal, onProgress: begun.hear })
    await begun.first(() => true)
    await client.listTools()
    abort.abort()
    const results = await batch
    expect(results.map(({ is_error }) => is_error)).toEqual([false, true, true])
    expect(results[1]?.content).toContain('was cancelled by the caller')
    expect(results[2]?.content).toContain('The call was not made')
    await stderr.first((line) => line.startsWith('cancelled'))
  })
})
