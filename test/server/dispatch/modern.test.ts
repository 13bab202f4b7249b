import { describe, expect, it } from 'vitest'
import { type LogMessage, ProtocolError } from '../../../src/index.ts'
import { Cancellation, currentRequest, McpServer, type McpServerOptions } from '../../../src/server/index.ts'
import { kit } from '../kit.ts'
import { Asker, stamp } from './harness.ts'

const asker = (options: Partial<McpServerOptions> = {}) => new Asker(kit(options))
const key = (name: string) => `io.modelcontextprotocol/${name}`
const serverInfo = { [key('serverInfo')]: { name: 'kit', version: '1.2.3' } }

const lists = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
}

describe('discovery', () => {
  it('names versions, capabilities and instructions, and how long that holds', async () => {
    expect(await asker().modern('server/discover')).toEqual({
      result: {
        supportedVersions: ['2026-07-28'],
        capabilities: { ...lists, completions: {}, logging: {} },
        instructions: 'A server to test with.',
        ttlMs: 3_600_000,
        cacheScope: 'private',
        resultType: 'complete',
        _meta: serverInfo,
      },
      notes: [],
    })
  })

  it('declares only what there is', async () => {
    const { result } = await new Asker(new McpServer({ name: 'empty' })).modern('server/discover')
    expect(result?.capabilities).toEqual({ logging: {} })
  })
})

describe('the envelope', () => {
  it.each([
    ['no version', { [key('protocolVersion')]: undefined }, 'protocolVersion'],
    ['no capabilities', { [key('clientCapabilities')]: undefined }, 'clientCapabilities'],
    ['capabilities that are none', { [key('clientCapabilities')]: [] }, 'clientCapabilities'],
    ['an unknown log level', { [key('logLevel')]: 'loud' }, 'log level'],
    ['a progress token that is none', { progressToken: {} }, 'progressToken'],
  ])('refuses %s', async (_, meta, mentioned) => {
    for (const method of ['server/discover', 'tools/list']) {
      const asked = new Asker(kit({ protocolVersions: ['2026-07-28'] })).modern(method, {}, meta)
      if (method === 'server/discover' && mentioned === 'progressToken') continue
      expect(await asked).toMatchObject({
        error: { code: -32602, message: expect.stringContaining(mentioned) },
      })
    }
  })

  it('takes a request without clientInfo', async () => {
    expect(await asker().modern('tools/list', {}, { [key('clientInfo')]: undefined })).toHaveProperty(
      'result',
    )
  })

  it('names what it speaks to a client of another version', async () => {
    expect(await asker().modern('tools/list', {}, { [key('protocolVersion')]: '2099-01-01' })).toMatchObject({
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } },
    })
  })

  it.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'tasks/list', '__proto__'])(
    'has no %s',
    async (method) => {
      const only = kit({ protocolVersions: ['2026-07-28'] })
      expect(await new Asker(only).modern(method)).toMatchObject({ error: { code: -32601 } })
    },
  )

  it('has no methods of features it does not offer', async () => {
    const empty = new Asker(new McpServer({ name: 'empty' }))
    for (const method of ['tools/list', 'tools/call', 'resources/read', 'prompts/get', 'completion/complete'])
      expect(await empty.modern(method)).toMatchObject({ error: { code: -32601 } })
  })
})

describe('features', () => {
  it('lists with cache hints, and in pages that follow each other', async () => {
    const client = asker({ pageSize: 5, discoveryTtlMs: 9, cacheScope: 'public' })
    const names: string[] = []
    let cursor: unknown
    do {
      const { result } = await client.modern('tools/list', cursor === undefined ? {} : { cursor })
      expect(result).toMatchObject({ ttlMs: 9, cacheScope: 'public' })
      const { tools } = result as { tools: { name: string }[] }
      expect(tools.length).toBeLessThanOrEqual(5)
      names.push(...tools.map(({ name }) => name))
      cursor = result?.nextCursor
    } while (cursor !== undefined)
    expect(names).toEqual((await kit().toolsForLlm()).map((tool) => tool.function.name))
  })

  it.each(['', 'nonsense', Buffer.from('prompts\na').toString('base64url'), 7])(
    'refuses the cursor %s',
    async (cursor) => {
      expect(await asker().modern('tools/list', { cursor })).toMatchObject({ error: { code: -32602 } })
    },
  )

  it('reads resources and templates, each with its own hint', async () => {
    const client = asker()
    expect(await client.modern('resources/read', { uri: 'kit://text' })).toMatchObject({
      result: {
        contents: [{ uri: 'kit://text', mimeType: 'text/plain', text: 'some text' }],
        ttlMs: 5000,
        cacheScope: 'public',
      },
    })
    expect(await client.modern('resources/read', { uri: 'kit://bytes' })).toMatchObject({
      result: { contents: [{ uri: 'kit://bytes', blob: 'aGk=' }], ttlMs: 0, cacheScope: 'private' },
    })
    expect(await client.modern('resources/read', { uri: 'kit://items/7?verbose=1' })).toMatchObject({
      result: { contents: [{ text: '{"id":"7","verbose":"1"}' }] },
    })
    expect(await client.modern('resources/read', { uri: 'kit://none' })).toMatchObject({
      error: { code: -32602, data: { uri: 'kit://none' } },
    })
  })

  it('renders prompts, and refuses arguments that do not fit', async () => {
    const client = asker()
    expect(await client.modern('prompts/get', { name: 'review', arguments: { code: 'x' } })).toMatchObject({
      result: { messages: [{ role: 'user', content: { type: 'text', text: 'Review in plain: x' } }] },
    })
    for (const args of [{}, { code: 1 }, 'none'])
      expect(await client.modern('prompts/get', { name: 'review', arguments: args })).toMatchObject({
        error: { code: -32602 },
      })
    expect(
      await client.modern('prompts/get', { name: 'review', arguments: { code: 'x', cod: 'y' } }),
    ).toMatchObject({
      error: { code: -32602, message: 'The prompt review has no argument cod. Did you mean code?' },
    })
    expect(await client.modern('prompts/get', { name: 'none' })).toMatchObject({ error: { code: -32602 } })
  })

  it('completes arguments of prompts and templates', async () => {
    const client = asker()
    const complete = (ref: object, name: string, value: string) =>
      client.modern('completion/complete', {
        ref,
        argument: { name, value },
        context: { arguments: { code: 'c' } },
      })
    expect(
      await complete({ type: 'ref/resource', uri: 'kit://items/{id}{?verbose}' }, 'id', 'o'),
    ).toMatchObject({
      result: { completion: { values: ['one', 'other'], total: 2, hasMore: false } },
    })
    expect(await complete({ type: 'ref/prompt', name: 'review' }, 'style', 's')).toMatchObject({
      result: { completion: { values: ['s-c'] } },
    })
    expect(await complete({ type: 'ref/prompt', name: 'review' }, 'constructor', 's')).toMatchObject({
      result: { completion: { values: [] } },
    })
    expect(await complete({ type: 'ref/prompt', name: 'none' }, 'style', 's')).toMatchObject({
      error: { code: -32602 },
    })
    expect(await complete({ type: 'ref/nothing' }, 'style', 's')).toMatchObject({ error: { code: -32602 } })
  })

  it('answers what is no call of a tool with an error, and everything else with a result', async () => {
    const client = asker()
    for (const params of [{}, { name: 7 }, { name: 'none' }, { name: 'greet', arguments: 'Ada' }])
      expect(await client.modern('tools/call', params)).toMatchObject({ error: { code: -32602 } })
    for (const name of ['greet', 'throws', 'shapeless', 'liar'])
      expect(await client.modern('tools/call', { name })).toMatchObject({ result: { isError: true } })
  })

  it('answers with its own envelope, whatever a handler has in its place', async () => {
    const server = new McpServer({ name: 'own' })
    const odd = { content: [], resultType: 'odd', _meta: { 'own/a': 1, [key('serverInfo')]: 'somebody' } }
    server.tool('odd', {}, () => odd)
    server.tool('odder', {}, () => ({ ...odd, _meta: 7 }) as never)
    server.resource('a://b', { name: 'b', ttlMs: 5 }, () => ({ contents: [], ttlMs: 'never' }) as never)
    const info = { name: 'own', version: '1.0.0' }
    const client = new Asker(server)
    expect((await client.modern('tools/call', { name: 'odd' })).result).toEqual({
      content: [],
      resultType: 'complete',
      _meta: { 'own/a': 1, [key('serverInfo')]: info },
    })
    expect((await client.modern('tools/call', { name: 'odder' })).result).toEqual({
      content: [],
      resultType: 'complete',
      _meta: { [key('serverInfo')]: info },
    })
    const exchange = { cancellation: new Cancellation(), notify: () => {}, onStop: () => {} }
    const params = { uri: 'a://b', _meta: stamp() }
    const { text } = await server.dispatcher.modern({ id: 1, method: 'resources/read', params }, exchange)
    expect(text.match(/"ttlMs":[^,]+/g)).toEqual(['"ttlMs":5'])
  })

  it('says that a resource or prompt failed', async () => {
    const server = new McpServer({ name: 'broken' })
    const fail = () => {
      throw new Error('The disk is full')
    }
    server.resource('a://fails', { name: 'x' }, fail)
    server.resource('a://shapeless', { name: 'x' }, () => 7 as never)
    server.resource('a://refuses', { name: 'x' }, () => {
      throw new ProtocolError({ code: 4711, message: 'Not today' })
    })
    const client = new Asker(server)
    const read = (uri: string) => client.modern('resources/read', { uri })
    expect(await read('a://fails')).toMatchObject({
      error: { code: -32603, message: expect.stringContaining('disk') },
    })
    expect(await read('a://shapeless')).toMatchObject({ error: { code: -32603 } })
    expect(await read('a://refuses')).toMatchObject({ error: { code: 4711, message: 'Not today' } })
  })
})

describe('the request context', () => {
  it('sends the log messages the request asked for, and all of them elsewhere', async () => {
    const logged: LogMessage[] = []
    const client = asker({ onLog: (message) => logged.push(message) })
    const count = (meta: object) =>
      client.modern('tools/call', { name: 'count', arguments: { to: 1 } }, { ...meta })
    expect((await count({})).notes).toEqual([])
    const { notes } = await count({ [key('logLevel')]: 'info' })
    expect(notes).toEqual([
      { method: 'notifications/message', level: 'info', logger: 'kit', data: { step: 1 } },
    ])
    expect((await count({ [key('logLevel')]: 'debug' })).notes).toHaveLength(2)
    expect(logged).toHaveLength(6)
  })

  it('sends progress only where there is a token, and only progress', async () => {
    const server = new McpServer({ name: 'moving' })
    server.tool('move', {}, (_, context) => {
      for (const progress of [0, 5, 5, 3, Number.NaN, 10]) context.progress({ progress })
      return 'moved'
    })
    const client = new Asker(server)
    expect((await client.modern('tools/call', { name: 'move' })).notes).toEqual([])
    const { notes } = await client.modern('tools/call', { name: 'move' }, { progressToken: 'p' })
    expect(notes.map(({ progressToken, progress }) => [progressToken, progress])).toEqual([
      ['p', 0],
      ['p', 5],
      ['p', 10],
    ])
  })

  it('is found below a handler without being passed on', async () => {
    const server = new McpServer({ name: 'deep' })
    const below = async () => currentRequest()
    server.tool('self', {}, async (_, context) => String((await below()) === context))
    const { result } = await new Asker(server).modern('tools/call', { name: 'self' })
    expect(result).toMatchObject({ content: [{ text: 'true' }] })
    expect(currentRequest()).toBeUndefined()
  })

  it('may refuse with data that cannot be written, which is left out', async () => {
    const server = new McpServer({ name: 'odd' })
    server.tool('odd', {}, () => {
      throw new ProtocolError({ code: 4711, message: 'Not today', data: 1n })
    })
    expect(await new Asker(server).modern('tools/call', { name: 'odd' })).toEqual({
      error: { code: 4711, message: 'Not today' },
      notes: [],
    })
  })

  it('says who asks', async () => {
    const server = new McpServer({ name: 'curious' })
    server.tool('who', {}, (_, { era, protocolVersion, clientInfo, clientCapabilities, logLevel }) =>
      JSON.stringify({ era, protocolVersion, name: clientInfo?.name, clientCapabilities, logLevel }),
    )
    const who = (answer: Awaited<ReturnType<Asker['ask']>>) =>
      JSON.parse((answer.result as { content: [{ text: string }] }).content[0].text)
    const client = new Asker(server)
    expect(who(await client.ask('tools/call', { name: 'who', _meta: stamp() }))).toEqual({
      era: 'modern',
      protocolVersion: '2026-07-28',
      name: 'tester',
      clientCapabilities: {},
    })
    await client.initialize('2025-06-18', { roots: {} })
    expect(who(await client.ask('tools/call', { name: 'who' }))).toEqual({
      era: 'legacy',
      protocolVersion: '2025-06-18',
      name: 'old',
      clientCapabilities: { roots: {} },
      logLevel: 'info',
    })
  })
})
