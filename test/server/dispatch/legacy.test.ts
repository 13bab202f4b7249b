import { describe, expect, it } from 'vitest'
import { legacyVersions } from '../../../src/protocol/versions.ts'
import { kit } from '../kit.ts'
import { Asker } from './harness.ts'

const lists = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
}

describe('the handshake', () => {
  it.each(legacyVersions)('agrees on %s', async (version) => {
    const { result } = await new Asker(kit()).initialize(version)
    expect(result).toEqual({
      protocolVersion: version,
      capabilities: { ...lists, completions: {}, logging: {} },
      serverInfo: { name: 'kit', version: '1.2.3' },
      instructions: 'A server to test with.',
    })
  })

  it('offers the newest it has instead of one it does not know', async () => {
    const { result } = await new Asker(kit()).initialize('1999-01-01')
    expect(result?.protocolVersion).toBe('2025-11-25')
  })

  it('is refused by a server that is modern only, which names its versions', async () => {
    const only = new Asker(kit({ protocolVersions: ['2026-07-28'] }))
    expect(await only.initialize()).toMatchObject({
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } },
    })
  })

  it('is named to modern clients by a server that is legacy only', async () => {
    const only = new Asker(kit({ protocolVersions: ['2025-11-25', '2025-06-18'] }))
    for (const method of ['server/discover', 'tools/list'])
      expect(await only.modern(method)).toMatchObject({
        error: { code: -32022, data: { supported: ['2025-11-25', '2025-06-18'], requested: '2026-07-28' } },
      })
    expect(await only.ask('server/discover')).toMatchObject({ error: { code: -32601 } })
    expect(await only.initialize('2025-06-18')).toMatchObject({ result: { protocolVersion: '2025-06-18' } })
    expect(await only.initialize('2025-03-26')).toMatchObject({ result: { protocolVersion: '2025-11-25' } })
  })
})

describe('a legacy client', () => {
  it('gets results without the modern envelope', async () => {
    const client = new Asker(kit())
    await client.initialize()
    for (const [method, params, members] of [
      ['ping', {}, []],
      ['tools/list', {}, ['tools']],
      ['resources/list', {}, ['resources']],
      ['resources/templates/list', {}, ['resourceTemplates']],
      ['prompts/list', {}, ['prompts']],
      ['tools/call', { name: 'greet', arguments: { name: 'Ada' } }, ['content']],
      ['resources/read', { uri: 'kit://text' }, ['contents']],
      ['prompts/get', { name: 'review', arguments: { code: '' } }, ['messages']],
    ] as const)
      expect(Object.keys((await client.ask(method, params)).result ?? { none: true })).toEqual(members)
  })

  it('may be spoken to in the modern era beside', async () => {
    const client = new Asker(kit())
    await client.initialize()
    expect((await client.modern('tools/list')).result).toHaveProperty('resultType')
    expect((await client.ask('tools/list')).result).not.toHaveProperty('resultType')
  })

  it('is told by its own code that there is no such resource', async () => {
    const client = new Asker(kit())
    await client.initialize()
    expect(await client.ask('resources/read', { uri: 'kit://none' })).toMatchObject({
      error: { code: -32002, data: { uri: 'kit://none' } },
    })
  })

  it('gets structured content and output schemas that are objects only, and its text always', async () => {
    const client = new Asker(kit())
    await client.initialize()
    const { result } = await client.ask('tools/list')
    const tools = new Map((result as { tools: { name: string }[] }).tools.map((tool) => [tool.name, tool]))
    expect(tools.get('sum')).toHaveProperty('outputSchema')
    expect(tools.get('bare')).not.toHaveProperty('outputSchema')
    expect((await client.ask('tools/call', { name: 'bare' })).result).toEqual({
      content: [{ type: 'text', text: '[1,null]' }],
    })
    expect((await client.ask('tools/call', { name: 'sum', arguments: { a: 1 } })).result).toEqual({
      content: [{ type: 'text', text: '{"sum":2}' }],
      structuredContent: { sum: 2 },
    })
  })

  it.each([
    ['2024-11-05', ['text', 'image', 'text', 'text', 'resource']],
    ['2025-03-26', ['text', 'image', 'audio', 'text', 'resource']],
    ['2025-06-18', ['text', 'image', 'audio', 'resource_link', 'resource']],
  ])('of %s gets no kind of content it cannot know', async (version, kinds) => {
    const client = new Asker(kit())
    await client.initialize(version)
    const { result } = await client.ask('tools/call', { name: 'blocks' })
    expect((result as { content: { type: string }[] }).content.map(({ type }) => type)).toEqual(kinds)
  })

  it('is told when it watches more than anybody does', async () => {
    const client = new Asker(kit())
    await client.initialize()
    const subscribe = (uri: string) => client.ask('resources/subscribe', { uri })
    for (let index = 0; index < 10_000; index += 1) await subscribe(`kit://${index}`)
    expect(await subscribe('kit://more')).toMatchObject({
      error: { code: -32600, message: expect.stringContaining('10000 resources') },
    })
    expect(client.session.filter.resourceSubscriptions).not.toContain('kit://more')
    expect(await subscribe('kit://7')).toMatchObject({ result: {} })
    await client.ask('resources/unsubscribe', { uri: 'kit://7' })
    expect(await subscribe('kit://more')).toMatchObject({ result: {} })
    expect(client.session.filter.resourceSubscriptions).toContain('kit://more')
  })

  it('hears log messages of the level it set', async () => {
    const client = new Asker(kit())
    await client.initialize()
    const count = async () =>
      (await client.ask('tools/call', { name: 'count', arguments: { to: 1 } })).notes.length
    expect(await count()).toBe(1)
    expect(await client.ask('logging/setLevel', { level: 'debug' })).toMatchObject({ result: {} })
    expect(await count()).toBe(2)
    await client.ask('logging/setLevel', { level: 'error' })
    expect(await count()).toBe(0)
    expect(await client.ask('logging/setLevel', { level: 'loud' })).toMatchObject({ error: { code: -32602 } })
  })
})
