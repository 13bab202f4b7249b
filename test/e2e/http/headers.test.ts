import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { failureOf, textOf } from '../harness.ts'
import { type BareExchange, said } from './bare.ts'
import { connect } from './harness.ts'
import { answers, encoded, modern, modernVersion, toolList } from './modern.ts'

const isCall = ({ name }: BareExchange) => name === 'tools/call'
const tool = (name: string, properties: JsonObject): JsonObject => ({
  name,
  inputSchema: { type: 'object', properties },
})
const mirrored = tool('mirrored', {
  region: { type: 'string', 'x-mcp-header': 'Region' },
  count: { type: 'integer', 'x-mcp-header': 'Count' },
  urgent: { type: ['boolean', 'null'], 'x-mcp-header': 'Urgent' },
  nested: { type: 'object', properties: { method: { type: 'string', 'x-mcp-header': 'Method' } } },
})

/** What of a request's headers is the protocol's own. */
const own = ({ headers }: BareExchange) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('mcp-')))

describe('the headers of a request', () => {
  it('repeat version, method and subject', async () => {
    const server = await modern({
      'tools/list': answers({ tools: [] }),
      'prompts/get': answers({ messages: [] }),
      'resources/read': answers({ contents: [] }),
    })
    const { client } = connect(server, { url: server.url })
    await client.listTools()
    await client.callTool('a tool')
    await client.getPrompt('a prompt')
    await client.readResource('file:///a%20b')
    expect(server.seen.map(own)).toEqual([
      { 'mcp-protocol-version': modernVersion, 'mcp-method': 'server/discover' },
      { 'mcp-protocol-version': modernVersion, 'mcp-method': 'tools/list' },
      { 'mcp-protocol-version': modernVersion, 'mcp-method': 'tools/call', 'mcp-name': 'a tool' },
      { 'mcp-protocol-version': modernVersion, 'mcp-method': 'prompts/get', 'mcp-name': 'a prompt' },
      {
        'mcp-protocol-version': modernVersion,
        'mcp-method': 'resources/read',
        'mcp-name': 'file:///a%20b',
      },
    ])
  })

  it.each([
    'plain',
    'two  words',
    'ünïcode 🎭',
    ' leading',
    'trailing ',
    '\ttab',
    'in\tside',
    'new\nline',
    'inject\r\nx-evil: 1',
    '=?base64?YQ==?=',
    '=?base64?',
    '',
  ])('hold %j so that it arrives', async (name) => {
    const server = await modern({ 'tools/list': answers(toolList(mirrored)) })
    const { client } = connect(server, { url: server.url })
    await client.listTools()
    await client.callTool(name)
    await client.callTool('mirrored', { region: name })
    const [named, param] = server.seen.filter(isCall).map(({ headers }) => headers)
    expect([named?.['mcp-name'], param?.['mcp-param-region']]).toEqual([encoded(name), encoded(name)])
    expect([named?.['x-evil'], param?.['x-evil']]).toEqual([undefined, undefined])
  })

  it.each<readonly [JsonObject, JsonObject]>([
    [
      { region: 'eu', count: -42, urgent: true },
      { region: 'eu', count: '-42', urgent: 'true' },
    ],
    [{ count: 9_007_199_254_740_991 }, { count: '9007199254740991' }],
    [{ region: null, count: null, urgent: false }, { urgent: 'false' }],
    [{ nested: { method: 'GET' }, other: 1 }, { method: 'GET' }],
    [{ nested: { method: null } }, {}],
    [{}, {}],
  ])('mirror %j as the tool asks for', async (args, expected) => {
    const server = await modern({ 'tools/list': answers(toolList(mirrored)) })
    const { client } = connect(server, { url: server.url })
    await client.listTools()
    await client.callTool('mirrored', args)
    const [call] = server.seen.filter(isCall).map(own)
    const params = Object.entries(expected).map(([name, value]) => [`mcp-param-${name}`, value])
    const named = {
      'mcp-protocol-version': modernVersion,
      'mcp-method': 'tools/call',
      'mcp-name': 'mirrored',
    }
    expect(call).toEqual({ ...named, ...Object.fromEntries(params) })
  })
})

describe('a tool with a bad annotation', () => {
  const bad: readonly (readonly [string, JsonObject])[] = [
    ['of a number', { a: { type: 'number', 'x-mcp-header': 'A' } }],
    ['without a type', { a: { 'x-mcp-header': 'A' } }],
    ['that is no name', { a: { type: 'string', 'x-mcp-header': 'A B' } }],
    ['that is empty', { a: { type: 'string', 'x-mcp-header': '' } }],
    ['that is no string', { a: { type: 'string', 'x-mcp-header': 1 } }],
    [
      'given twice',
      { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } },
    ],
    ['inside of items', { a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } }],
    ['inside of a choice', { a: { anyOf: [{ type: 'string', 'x-mcp-header': 'A' }] } }],
  ]

  it.each(bad)('%s is left out by name, and the others are not', async (_, properties) => {
    const server = await modern({
      'tools/list': answers(toolList(tool('bad', properties), mirrored, { name: 'plain' })),
    })
    const { client, warnings } = connect(server, { url: server.url })
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['mirrored', 'plain'])
    const warning = await warnings.first(() => true)
    expect(warning).toMatch(/^a tool was left out of the list: bad: /)
    expect(warning).toContain('x-mcp-header')
  })
})

describe('a server that refuses the headers of a call', () => {
  const stale = toolList(tool('moved', { a: { type: 'string', 'x-mcp-header': 'Old' } }))
  const fresh = toolList(tool('moved', { a: { type: 'string', 'x-mcp-header': 'New' } }))
  const needsNew = (exchange: BareExchange) => {
    if (exchange.headers['mcp-param-new'] === 'x') exchange.answer(said('right'))
    else exchange.refuse(400, -32020, 'header mismatch')
  }
  const methods = (seen: readonly BareExchange[]) => seen.map(({ name }) => name).slice(1)

  it('is asked for its tools again, and then once more for the call', async () => {
    const kept = { ttlMs: 3_600_000, cacheScope: 'private' }
    const lists = [answers({ ...stale, ...kept }), answers({ ...fresh, ...kept })]
    const server = await modern({ 'tools/list': lists, 'tools/call': needsNew })
    const { client } = connect(server, { url: server.url })
    await client.listTools()
    expect(textOf(await client.callTool('moved', { a: 'x' }))).toBe('right')
    expect(methods(server.seen)).toEqual(['tools/list', 'tools/call', 'tools/list', 'tools/call'])
    expect(await client.listTools()).toMatchObject([{ name: 'moved' }])
    expect(server.count('tools/list')).toBe(2)
  })

  it('again is believed', async () => {
    const server = await modern({ 'tools/list': answers(stale), 'tools/call': needsNew })
    const { client } = connect(server, { url: server.url })
    expect(await failureOf(client.callTool('moved', { a: 'x' }))).toMatchObject({
      name: 'ProtocolError',
      code: -32020,
    })
    expect(methods(server.seen)).toEqual(['tools/call', 'tools/list', 'tools/call'])
  })

  it('and cannot list its tools is asked once more all the same', async () => {
    const server = await modern({
      'tools/list': (exchange) => exchange.send(500),
      'tools/call': [needsNew, (exchange) => exchange.answer(said('after all'))],
    })
    const { client } = connect(server, { url: server.url })
    expect(textOf(await client.callTool('moved', { a: 'x' }))).toBe('after all')
  })
})
