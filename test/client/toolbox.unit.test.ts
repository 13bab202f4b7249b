import { describe, expect, it } from 'vitest'
import { type HookContext, McpClient } from '../../src/index.ts'
import { FakeTransport } from '../../src/testing/index.ts'
import { deferred } from '../model/deferred.ts'
import { call, connected, listed, safe, said, tool, untyped } from './toolbox.ts'

describe('a batch of one server', () => {
  it('of tools that are read-only and idempotent goes out at once, and is answered in its own order', async () => {
    const { mcp, transport } = await connected({ 'tools/call': 'silence' }, { toolConcurrency: 2 })
    const batch = mcp.executeToolCalls([call('a'), call('b', 'list'), call('c')])
    const [a, b] = [await transport.nextSent('tools/call'), await transport.nextSent('tools/call')]
    expect(transport.sentOf('tools/call')).toHaveLength(2)
    transport.respond(b, said('B'))
    const c = await transport.nextSent('tools/call')
    transport.respond(c, said('C'))
    transport.respond(a, said('A'))
    expect(await batch).toEqual(
      ['A', 'B', 'C'].map((content) => ({
        role: 'tool',
        tool_call_id: content.toLowerCase(),
        content,
        is_error: false,
      })),
    )
    await mcp.close()
  })

  it.each([
    ['writes', 'write'],
    ['is read-only, but not idempotent', 'stat'],
    ['nobody lists', 'unknown'],
  ])('with a tool that %s goes out one by one', async (_, name) => {
    const { mcp, transport } = await connected({ 'tools/call': 'silence' })
    const batch = mcp.executeToolCalls([call('a'), call('b', name), call('c')])
    for (const count of [1, 2, 3]) {
      const sent = await transport.nextSent('tools/call')
      expect(transport.sentOf('tools/call')).toHaveLength(count)
      transport.respond(sent, said('done'))
    }
    expect((await batch).map(({ tool_call_id }) => tool_call_id)).toEqual(['a', 'b', 'c'])
    await mcp.close()
  })

  it('asks once for what it is asked twice', async () => {
    const { mcp, transport } = await connected()
    const results = await mcp.executeToolCalls([call('a', 'read', '{"x":1}'), call('b', 'read', { x: 1 })])
    expect(results.map(({ tool_call_id, content }) => [tool_call_id, content])).toEqual([
      ['a', '{"x":1}'],
      ['b', '{"x":1}'],
    ])
    expect(transport.sentOf('tools/call')).toHaveLength(1)
    await mcp.close()
  })

  it.each([
    ['cannot be fetched', { error: { code: -32603, message: 'no list' } }],
    ['is none', { tools: 'none' }],
  ])('goes out one by one when the catalogue %s', async (_, answer) => {
    const { mcp, transport } = await connected({ 'tools/list': answer, 'tools/call': 'silence' })
    const batch = mcp.executeToolCalls([call('a'), call('b')])
    for (const count of [1, 2]) {
      const sent = await transport.nextSent('tools/call')
      expect(transport.sentOf('tools/call')).toHaveLength(count)
      transport.respond(sent, said('done'))
    }
    expect((await batch).map(({ is_error }) => is_error)).toEqual([false, false])
    await mcp.close()
  })

  it('lists the tools once, again only after they changed, and never when nothing depends on it', async () => {
    const { mcp, transport } = await connected()
    const lists = () => transport.sentOf('tools/list').length
    await mcp.executeToolCalls([call('a')])
    expect(lists()).toBe(0)
    await mcp.toolsForLlm()
    for (const _again of [1, 2]) await mcp.executeToolCalls([call('a'), call('b')])
    expect(lists()).toBe(1)
    transport.push({ method: 'notifications/tools/list_changed' })
    for (const _again of [1, 2]) await mcp.executeToolCalls([call('a'), call('b')])
    expect(lists()).toBe(2)
    await mcp.close()
  })

  it('does not trust a list that was overtaken by a change', async () => {
    const { mcp, transport } = await connected({ 'tools/list': ['silence', listed] })
    const early = mcp.listTools()
    const asked = await transport.nextSent('tools/list')
    transport.push({ method: 'notifications/tools/list_changed' })
    transport.respond(asked, listed)
    await early
    await mcp.executeToolCalls([call('a'), call('b')])
    expect(transport.sentOf('tools/list')).toHaveLength(2)
    await mcp.close()
  })

  it('is answered at once when it is aborted while the tools are being listed', async () => {
    const { mcp, transport } = await connected({ 'tools/list': 'silence' })
    const abort = new AbortController()
    const batch = mcp.executeToolCalls([call('a'), call('b')], { signal: abort.signal })
    await transport.nextSent('tools/list')
    abort.abort()
    expect((await batch).map(({ is_error }) => is_error)).toEqual([true, true])
    expect(transport.sentOf('tools/call')).toEqual([])
    await mcp.close()
  })

  it('answers also when the client is closed under it, and after', async () => {
    const { mcp, transport } = await connected({ 'tools/call': 'silence' })
    const before = mcp.executeToolCalls([call('a', 'write'), call('b')])
    await transport.nextSent('tools/call')
    await mcp.close()
    const after = mcp.executeToolCalls([call('a', 'write'), call('b')])
    const sent = 'The connection is closed. The call may have taken effect'
    const unsent = 'The connection is closed. Nothing was done. '
    const answer = (start: string) => ({ is_error: true, content: expect.stringMatching(`^${start}`) })
    expect(await before).toMatchObject([answer(sent), answer(unsent)])
    expect(await after).toMatchObject([answer(unsent), answer(unsent)])
  })

  it('sends the meta of a call, and returns that of its result', async () => {
    const meta = { 'example.com/trace': { span: 1 } }
    const { mcp, transport } = await connected({
      'tools/call': { ...said('ok'), _meta: { 'example.com/cost': 3 } },
    })
    const [result] = await mcp.executeToolCalls([{ ...call('a'), meta }])
    expect(result).toMatchObject({ content: 'ok', meta: { 'example.com/cost': 3 } })
    expect((await transport.nextSent('tools/call')).params._meta).toMatchObject(meta)
    const [refused] = await mcp.executeToolCalls([{ ...call('a'), meta: { progressToken: 1 } }])
    expect(refused).toMatchObject({ is_error: true, content: expect.stringContaining('meta.progressToken') })
    expect(transport.sentOf('tools/call')).toHaveLength(1)
    await mcp.close()
  })

  it('cuts each result where the client is told to', async () => {
    const { mcp } = await connected({ 'tools/call': said('0123456789') }, { maxResultChars: 3 })
    const [result] = await mcp.executeToolCalls([call('a')])
    expect(result?.content).toBe('012\n[cut: 7 of 10 characters are not shown]')
    expect(await mcp.callTool('read')).toEqual(said('0123456789'))
    await mcp.close()
  })

  it.each([
    ['no options at all', null, 'options: must be an object'],
    ['an unknown one', { signl: 1 }, 'signl: is no option; did you mean signal?'],
    ['a signal that is none', { signal: {} }, 'signal: must be an AbortSignal'],
    ['a claim that is no text', { claim: 1 }, 'claim: must be a string'],
    ['a listener that is none', { onProgress: true }, 'onProgress: must be a function'],
  ])('is not run under %s, and says so', async (_, options, complaint) => {
    const { mcp, transport } = await connected()
    const results = await mcp.executeToolCalls([call('a'), call('b')], untyped(options))
    expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(['a', 'b'])
    for (const result of results)
      expect(result).toMatchObject({ is_error: true, content: expect.stringContaining(complaint) })
    expect(transport.sentOf('tools/call')).toEqual([])
    await mcp.close()
  })

  it('is not harmed by a listener that throws', async () => {
    const heard: unknown[] = []
    const onProgress = () => {
      throw new Error('oops')
    }
    const { mcp, transport, warned } = await connected({ 'tools/call': 'silence' }, { onProgress })
    const batch = mcp.executeToolCalls([call('a')], { onProgress: (report) => void heard.push(report) })
    const sent = await transport.nextSent('tools/call')
    const { progressToken } = sent.params._meta as { readonly progressToken: unknown }
    transport.push({ method: 'notifications/progress', params: { progressToken, progress: 1 } })
    transport.respond(sent, said('done'))
    expect(await batch).toMatchObject([{ content: 'done' }])
    expect(heard).toEqual([{ toolCallId: 'a', progress: 1 }])
    expect(warned).toEqual(['onProgress threw: oops'])
    await mcp.close()
  })

  it('asks for no progress when nobody listens', async () => {
    const { mcp, transport } = await connected()
    await mcp.executeToolCalls([call('a')])
    expect((await transport.nextSent('tools/call')).params._meta).not.toHaveProperty('progressToken')
    await mcp.close()
  })
})

describe('the declarations of a server’s tools', () => {
  it('describe them by what the server says of them', async () => {
    const parameters = { type: 'object', properties: { a: { type: 'string' } } }
    const bare = { inputSchema: parameters }
    const tools = [
      { name: 'described', description: 'It does.', title: 'No', ...bare },
      { name: 'titled', title: 'A title', ...bare },
      { name: 'annotated', annotations: { title: 'Another' }, ...bare },
      { name: 'silent', ...bare },
      { name: 'silent', description: 'The same name again', ...bare },
    ]
    const { mcp } = await connected({ 'tools/list': { tools } })
    const described = { described: 'It does.', titled: 'A title', annotated: 'Another', silent: '' }
    expect(await mcp.toolsForLlm()).toEqual(
      Object.entries(described).map(([name, description]) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
    )
    await mcp.close()
  })
})

describe('a name that no model API takes', () => {
  const odd = ['fs.read', 'fs read', '', 'l'.repeat(80), 'söarch', '\ud800', '\ud801', '\ud800\u0080']
  const listing = { tools: [...odd, 'plain'].map((name) => tool(name, safe)) }

  it('is replaced by one that each of them takes, and leads to the tool', async () => {
    const { mcp, transport } = await connected({ 'tools/list': listing })
    const names = (await mcp.toolsForLlm()).map((declaration) => declaration.function.name)
    expect(new Set(names).size).toBe(odd.length + 1)
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(names.at(-1)).toBe('plain')
    const results = await mcp.executeToolCalls(names.map((name, index) => call(`${index}`, name)))
    expect(results.map(({ content }) => content)).toEqual(names.map((_, index) => `{"id":"${index}"}`))
    const sent = transport.sentOf('tools/call').map(({ params }) => params.name)
    expect(sent).toEqual([...odd, 'plain'])
    expect(await mcp.toolAnnotations(names[0] ?? '')).toEqual(safe)
    expect(await mcp.toolAnnotations('fs.read')).toEqual(safe)
    await mcp.close()
  })

  it('is found also by a client that has not listed yet', async () => {
    const first = await connected({ 'tools/list': listing })
    const [name = ''] = (await first.mcp.toolsForLlm()).map((declaration) => declaration.function.name)
    await first.mcp.close()
    const { mcp, transport } = await connected({ 'tools/list': listing })
    expect(await mcp.executeToolCalls([call('a', name)])).toMatchObject([{ is_error: false }])
    expect((await transport.nextSent('tools/call')).params.name).toBe('fs.read')
    await mcp.close()
  })

  it('calls nothing by itself: a rule for the published name would not see it', async () => {
    const { mcp, transport } = await connected({ 'tools/list': { tools: [tool('fs.read')] } })
    const [result] = await mcp.executeToolCalls([call('a', 'fs.read')])
    expect(result).toMatchObject({
      is_error: true,
      content: expect.stringMatching(
        /^There is no tool fs\.read\. Did you mean fs_read_\w{8}\? Nothing was done\.$/,
      ),
    })
    expect(transport.sentOf('tools/call')).toEqual([])
    await mcp.close()
  })
})

describe('the claim of a batch', () => {
  async function asking(openCalls: readonly (string | undefined)[]) {
    const transport = FakeTransport.legacy({ answers: { 'tools/call': 'silence' } })
    const asked = deferred<HookContext>()
    const mcp = McpClient.connectStdio({
      transport,
      onListRoots: (_, context) => {
        asked.resolve(context)
        return { roots: [] }
      },
    })
    await mcp.era()
    const batches = openCalls.map((claim) => mcp.executeToolCalls([call('a')], { claim }))
    for (const _call of openCalls) await transport.nextSent('tools/call')
    await transport.ask({ method: 'roots/list' })
    await mcp.close()
    await Promise.all(batches)
    return asked.promise
  }

  it.each([
    ['the only call there is', ['mine'], 'mine'],
    ['all calls agree', ['mine', 'mine'], 'mine'],
    ['calls disagree', ['mine', 'yours'], undefined],
    ['one call says nothing', ['mine', undefined], undefined],
    ['no call is under way', [], undefined],
  ])('comes with a legacy server’s question as far as it is known: %s', async (_, openCalls, claim) => {
    const { signal, ...context } = await asking(openCalls)
    expect(signal).toBeInstanceOf(AbortSignal)
    expect(context).toEqual(claim === undefined ? {} : { claim })
  })
})
