import { describe, expect, it } from 'vitest'
import { ask, connect, fixture, hostings } from './harness.ts'
import { Heard } from './heard.ts'
import { result, scripted } from './scripted.ts'

const hour = ['--ttl', '3600000']

describe.each(hostings)('what a server allows to keep (%s)', (hosting) => {
  it('is asked for once, whole pages and single resources alike', async () => {
    const { client } = connect({ ...fixture('bare-modern', ...hour), hosting })
    const [first, again] = [await client.listResources(), await client.listResources()]
    expect(again).toEqual(first)
    const uris = ['bare:///a', 'bare:///b', 'bare:///a']
    for (const uri of uris)
      expect(await client.readResource(uri)).toMatchObject({ contents: [{ text: `the text of ${uri}` }] })
    expect(await ask(client, 'served')).toMatchObject({ 'resources/list': 3, 'resources/read': 2 })
  })

  it('is asked for again on demand, and kept anew', async () => {
    const { client } = connect({ ...fixture('bare-modern', ...hour), hosting })
    for (const refresh of [false, true, false]) await client.listPrompts({ refresh })
    for (const refresh of [false, true, false]) await client.readResource('bare:///a', { refresh })
    await client.readResource('bare:///b')
    expect(await ask(client, 'served')).toMatchObject({ 'prompts/list': 6, 'resources/read': 3 })
  })
})

describe('nothing is kept', () => {
  it.each([
    ['without a time', ['--ttl', 'none']],
    ['for no time', ['--ttl', '0']],
    ['for less than no time', ['--ttl=-1']],
  ])('%s', async (_, flags) => {
    const { client } = connect(fixture('bare-modern', ...flags))
    for (const _again of [1, 2]) {
      await client.listPrompts()
      await client.readResource('bare:///a')
    }
    expect(await ask(client, 'served')).toMatchObject({ 'prompts/list': 6, 'resources/read': 2 })
  })

  it('past its time', async () => {
    const { client } = connect(fixture('bare-modern', '--ttl', '1'))
    for (const _again of [1, 2]) {
      await client.readResource('bare:///a')
      await client.callTool('slow', {}, { timeoutMs: 5 }).catch(() => undefined)
    }
    expect(await ask(client, 'served')).toMatchObject({ 'resources/read': 2 })
  })

  it('of a legacy server, which knows no such permission', async () => {
    const { client } = connect(fixture('bare-legacy'))
    for (const _again of [1, 2]) {
      await client.listTools()
      await client.readResource('legacy:///a')
    }
    expect(await ask(client, 'served')).toMatchObject({ 'tools/list': 2, 'resources/read': 2 })
  })

  it('of what was only answered after a question', async () => {
    const onElicit = () => ({ action: 'accept', content: { who: 'me' } }) as const
    const { client } = connect({ ...fixture('bare-modern', ...hour), onElicit })
    for (const _again of [1, 2]) await client.readResource('bare:///ask')
    expect(await ask(client, 'served')).toMatchObject({ 'resources/read': 4 })
  })

  it('of a refusal, and a shared result is kept like a private one', async () => {
    const { client } = connect(fixture('bare-modern', ...hour, '--scope', 'public'))
    for (const _again of [1, 2]) await client.readResource('bare:///nothing').catch(() => undefined)
    for (const _again of [1, 2]) await client.readResource('bare:///a')
    expect(await ask(client, 'served')).toMatchObject({ 'resources/read': 3 })
  })
})

describe('what changed is no longer kept', () => {
  const everything = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ['bare:///a', 'bare:///b'],
  }

  it.each([
    ['notifications/prompts/list_changed', { 'prompts/list': 6, 'resources/list': 3 }],
    [
      'notifications/resources/list_changed',
      { 'prompts/list': 3, 'resources/list': 6, 'resources/templates/list': 6 },
    ],
  ])('after %s', async (method, served) => {
    const { client } = connect(fixture('bare-modern', ...hour))
    await client.listen(everything)
    const listAll = () =>
      Promise.all([client.listPrompts(), client.listResources(), client.listResourceTemplates()])
    await listAll()
    await client.callTool('emit', { method })
    await listAll()
    expect(await ask(client, 'served')).toMatchObject(served)
  })

  it('of one resource after an update of it', async () => {
    const { client } = connect(fixture('bare-modern', ...hour))
    await client.listen(everything)
    const readBoth = () => Promise.all(['bare:///a', 'bare:///b'].map((uri) => client.readResource(uri)))
    await readBoth()
    await client.callTool('emit', { method: 'notifications/resources/updated', params: { uri: 'bare:///a' } })
    await readBoth()
    expect(await ask(client, 'served')).toMatchObject({ 'resources/read': 3 })
  })

  it('of the official server, when it says so', async () => {
    const { client } = connect(fixture('modern'))
    const subscription = await client.listen({ toolsListChanged: true })
    const before = await client.listTools()
    expect(before.map(({ name }) => name)).not.toContain('extra')
    const notes = new Heard<string>()
    client.on('notification', ({ method }) => notes.hear(method))
    await client.callTool('touch')
    await notes.first((method) => method === 'notifications/tools/list_changed')
    expect((await client.listTools()).map(({ name }) => name)).toContain('extra')
    await subscription.close()
  })

  it('when the change came while the old list was on its way', async () => {
    const fresh = { ttlMs: 3_600_000, cacheScope: 'private' }
    const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })
    const changed = {
      method: 'notifications/tools/list_changed',
      params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 2 } },
    }
    const acknowledged = {
      method: 'notifications/subscriptions/acknowledged',
      params: {
        notifications: { toolsListChanged: true },
        _meta: { 'io.modelcontextprotocol/subscriptionId': '$id' },
      },
    }
    const { client } = connect(
      scripted({
        'subscriptions/listen': [[acknowledged]],
        'tools/list': [
          [changed, result({ tools: [tool('old')], ...fresh })],
          [result({ tools: [tool('new')], ...fresh })],
        ],
      }),
    )
    await client.listen({ toolsListChanged: true })
    await client.listTools()
    expect(await client.listTools()).toMatchObject([{ name: 'new' }])
  })
})
