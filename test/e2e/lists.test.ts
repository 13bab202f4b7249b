import { describe, expect, it } from 'vitest'
import { connect, failureOf, fixture, hostings } from './harness.ts'
import { error, result, scripted, tools } from './scripted.ts'

const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name)

describe.each(hostings)('a list (%s)', (hosting) => {
  it('has every page of a modern server, also behind the empty cursor', async () => {
    const { client } = connect({ ...fixture('bare-modern'), hosting })
    const tools = await client.listTools()
    expect(tools).toHaveLength(17)
    expect(new Set(names(tools)).size).toBe(17)
    expect(tools[0]).toMatchObject({
      name: 'echo',
      annotations: { readOnlyHint: true, idempotentHint: true },
    })
    expect(names(await client.listResources())).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(names(await client.listPrompts())).toEqual(['hello', 'ask', 'bye'])
    const templates = await client.listResourceTemplates()
    expect(templates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'bare:///one/{id}',
      'bare:///two/{id}',
      'bare:///three/{id}',
    ])
    expect((await client.callTool('served')).structuredContent).toMatchObject({
      'tools/list': 4,
      'resources/list': 3,
      'resources/templates/list': 3,
      'prompts/list': 3,
    })
  })

  it('of a legacy server is there too', async () => {
    const { client } = connect({ ...fixture('bare-legacy'), hosting })
    expect(names(await client.listTools())).toContain('violations')
    expect(await client.listResources()).toEqual([{ uri: 'legacy:///a', name: 'a', mimeType: 'text/plain' }])
    expect(await client.listResourceTemplates()).toEqual([{ uriTemplate: 'legacy:///{id}', name: 'any' }])
    expect(await client.listPrompts()).toEqual([
      { name: 'hello', arguments: [{ name: 'who', required: false }] },
    ])
  })
})

describe('a list', () => {
  it('that runs in circles ends where it would start over', async () => {
    const { client, warnings } = connect(fixture('bare-modern', '--loop'))
    expect(names(await client.listResources())).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(await warnings.first((warning) => warning.includes('resources/list runs in circles'))).toContain(
      'a cursor seen before',
    )
  })

  it('that never ends is cut at a thousand pages', async () => {
    const { client, warnings } = connect(fixture('bare-modern', '--endless'))
    const resources = await client.listResources()
    expect(names(resources).slice(0, 6)).toEqual(['a', 'b', 'c', 'd', 'e', 'endless_3'])
    expect(resources).toHaveLength(1_002)
    await warnings.first((warning) => warning.includes('stopped after 1000 pages'))
  })

  it('whose cursor went stale is read again from its start', async () => {
    const first = result({ tools: [], nextCursor: 'gone' })
    const { client } = connect(
      scripted({ 'tools/list': [[first], [error(-32602, 'no such cursor')], [tools({ name: 'whole' })]] }),
    )
    expect(names(await client.listTools())).toEqual(['whole'])
  })

  it('whose cursor is stale at every try fails with what the server says', async () => {
    const first = result({ tools: [], nextCursor: 'gone' })
    const stale = error(-32602, 'no such cursor')
    const { client } = connect(scripted({ 'tools/list': [[first], [stale], [first], [stale]] }))
    expect(await failureOf(client.listTools())).toMatchObject({ code: -32602, message: 'no such cursor' })
  })

  it('without its method fails as the server says, and harms nothing else', async () => {
    const { client } = connect(fixture('noisy'))
    expect(await failureOf(client.listPrompts())).toMatchObject({ name: 'ProtocolError', code: -32601 })
    expect(names(await client.listTools())).toEqual(['echo'])
  })

  it('leaves out entries that cannot be used, and says so', async () => {
    const { client, warnings } = connect(
      scripted({ 'tools/list': [[tools({ name: 'good' }, { title: 'nameless' }, { name: 7 })]] }),
    )
    expect(names(await client.listTools())).toEqual(['good'])
    await warnings.first((warning) => warning.includes('was left out'))
  })

  it.each([
    ['is no list', result({ tools: 'many' }), 'tools is not an array'],
    ['asks for input', result({ resultType: 'input_required', requestState: 's' }), 'cannot ask for input'],
    ['is of a type nobody defined', result({ resultType: 'weird', tools: [] }), 'unknown resultType "weird"'],
  ])('that %s is an invalid answer', async (_, answer, reason) => {
    const { client } = connect(scripted({ 'tools/list': [[answer]] }))
    expect(await failureOf(client.listTools())).toMatchObject({
      name: 'InvalidResultError',
      code: 'INVALID_RESULT',
      method: 'tools/list',
      message: expect.stringContaining(reason),
    })
  })

  it('is under way at most as long as its total time, whatever the number of pages', async () => {
    const { client } = connect(fixture('bare-modern', '--endless'))
    await client.era()
    const failure = await failureOf(client.listTools({ maxTotalTimeoutMs: 20 }))
    expect(failure).toMatchObject({ code: 'TIMEOUT', method: 'tools/list', timeoutMs: 20 })
  })

  it('is given up when the caller aborts, page or no page', async () => {
    const { client } = connect(fixture('bare-modern', '--endless'))
    const abort = new AbortController()
    const listing = failureOf(client.listTools({ signal: abort.signal }))
    await client.callTool('echo', { text: 'meanwhile' })
    abort.abort(new Error('enough'))
    expect(await listing).toMatchObject({
      name: 'CancelledError',
      method: 'tools/list',
      cause: Error('enough'),
    })
    const { structuredContent } = await client.callTool('served')
    expect(structuredContent).not.toMatchObject({ 'tools/list': 1_000 })
  })

  it('tells what is said of a tool', async () => {
    const { client } = connect(fixture('modern'))
    expect(await client.toolAnnotations('echo')).toEqual({
      readOnlyHint: true,
      idempotentHint: true,
      openWorldHint: false,
    })
    expect(await client.toolAnnotations('fail')).toEqual({})
    expect(await client.toolAnnotations('nobody')).toBeUndefined()
  })
})
