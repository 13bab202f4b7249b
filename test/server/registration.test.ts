import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { ConfigError } from '../../src/index.ts'
import { McpServer } from '../../src/server/index.ts'

const untyped = (value: unknown) => value as never
const nothing = () => ''
const named = (name: string) => new McpServer({ name, onLog: () => {} })

class Kit {
  register() {}
}

/** What a program in JavaScript, or a slip, may register. */
const faults: readonly (readonly [string, (server: McpServer) => unknown])[] = [
  [
    'names must be 1 to 128 characters of A-Z a-z 0-9 _ . -, not "file/read"',
    (server) => server.tool('file/read', {}, nothing),
  ],
  ['not ""', (server) => server.tool('', {}, nothing)],
  ['not undefined', (server) => server.tool(untyped(undefined), {}, nothing)],
  ['tool: twice is registered already', (server) => [1, 2].map(() => server.tool('twice', {}, nothing))],
  ['prompt: twice is registered already', (server) => [1, 2].map(() => server.prompt('twice', {}, nothing))],
  [
    'resource: a://b is registered already',
    (server) => [1, 2].map(() => server.resource('a://b', { name: 'b' }, nothing)),
  ],
  ['tool.a.descripton: is no option', (server) => server.tool('a', untyped({ descripton: 'x' }), nothing)],
  ['tool.a.handler: must be a function', (server) => server.tool('a', {}, untyped(undefined))],
  [
    'tool.a.inputSchema: must have type "object"',
    (server) => server.tool('a', { inputSchema: { type: 'string' } }, nothing),
  ],
  [
    'tool.a.inputSchema: is no valid JSON Schema',
    (server) => server.tool('a', { inputSchema: { type: 'objet' } }, nothing),
  ],
  [
    'tool.a.inputSchema: is no valid JSON Schema',
    (server) =>
      server.tool('a', { inputSchema: { type: 'object', $ref: 'https://example.com/schema' } }, nothing),
  ],
  [
    'tool.a.inputSchema: is no valid JSON Schema: its dialect is not known',
    (server) => server.tool('a', { inputSchema: { $schema: 'https://example.com/mine' } }, nothing),
  ],
  [
    'tool.a.outputSchema: must be JSON Schema',
    (server) => server.tool('a', { outputSchema: untyped(true) }, nothing),
  ],
  [
    'tool.a.params: and inputSchema are two ways',
    (server) => server.tool('a', { params: {}, inputSchema: {} }, nothing),
  ],
  [
    'tool.a.annotations: must be true or false',
    (server) => server.tool('a', { annotations: untyped({ readOnlyHint: 'yes' }) }, nothing),
  ],
  [
    'tool.a.inputSchema: is a schema of shy that cannot be written as JSON Schema',
    (server) =>
      server.tool(
        'a',
        { inputSchema: { '~standard': { version: 1, vendor: 'shy', validate: () => ({ value: 1 }) } } },
        nothing,
      ),
  ],
  ['must be named by an absolute URI', (server) => server.resource('etc/hosts', { name: 'hosts' }, nothing)],
  ['resource.a://b.name: is missing', (server) => server.resource('a://b', untyped({}), nothing)],
  [
    'resource.a://b.ttlMs: must be a whole number, 0 or more, not -1',
    (server) => server.resource('a://b', { name: 'b', ttlMs: -1 }, nothing),
  ],
  [
    'resource.a://b.cacheScope: must be one of public, private',
    (server) => server.resource('a://b', { name: 'b', cacheScope: untyped('shared') }, nothing),
  ],
  ['has no variable', (server) => server.template('a://b', { name: 'b' }, nothing)],
  [
    'has an expression that cannot be matched: {list*}',
    (server) => server.template('a://{list*}', { name: 'b' }, nothing),
  ],
  ['names id twice', (server) => server.template('a://{id}/{id}', { name: 'b' }, nothing)],
  [
    'completes other, but there are only id',
    (server) => server.template('a://{id}', { name: 'b', complete: { other: () => [] } }, nothing),
  ],
  [
    'prompt.a.arguments.0.name: is missing',
    (server) => server.prompt('a', { arguments: [untyped({})] }, nothing),
  ],
  ['tool.a: must be an object', (server) => server.tool('a', untyped(nothing), untyped(undefined))],
  [
    'tool.a.handler: must be a function, or the URL of a module',
    (server) => server.tool('a', {}, untyped('./heavy.js')),
  ],
  [
    'tool.a.inputSchema: is an object of schemas: make one schema of it',
    (server) => server.tool('a', { inputSchema: untyped({ b: z.string() }) }, nothing),
  ],
  [
    'tool.a.params: is a schema: give it as inputSchema',
    (server) => server.tool('a', { params: untyped(z.object({})) }, nothing),
  ],
  ...(
    [
      ['string', 'must be an object such as'],
      [z.string(), 'must be an object such as'],
      [{}, 'type must be one of string, number'],
      [{ type: 'str' }, 'type must be one of string, number'],
      [{ type: 'string', required: 'yes' }, 'required must be true or false'],
      [{ type: 'string', requierd: true }, 'requierd is no keyword; did you mean required?'],
    ] as const
  ).map(
    ([param, complaint]) =>
      [
        `tool.a.params: has a bad b: ${complaint}`,
        (server: McpServer) => server.tool('a', { params: untyped({ b: param }) }, nothing),
      ] as const,
  ),
  [
    'tool.a.inputSchema: is a schema of valibot that cannot be written as JSON Schema; wrap it with toStandardJsonSchema',
    (server) => server.tool('a', { inputSchema: v.object({}) }, nothing),
  ],
  ['has a variable: register a template', (server) => server.resource('a://{id}', { name: 'b' }, nothing)],
  ['group.register: must be a function', (server) => server.group('a', untyped(undefined))],
  ['plug.toolkit: must be a toolkit: an object', (server) => server.plug(untyped({}))],
  ['plug.toolkit: must be a toolkit, not its class: new Kit(…)', (server) => server.plug(untyped(Kit))],
  ['prefixes are characters', (server) => server.group('a/b', () => {})],
  ['separator: must be', (server) => server.group('a', () => {}, { separator: '/' })],
]

describe('registration', () => {
  it.each(faults)('says %s', (message, register) => {
    const failure = (() => {
      try {
        register(named('strict'))
        return undefined
      } catch (error) {
        return error
      }
    })()
    expect(failure).toBeInstanceOf(ConfigError)
    expect(String(failure)).toContain(message)
  })

  it.each([
    [{}, 'name: is missing'],
    [
      { name: 'a', protocolVersions: ['1999-01-01'] },
      'protocolVersions: must be a non-empty array of 2026-07-28',
    ],
    [{ name: 'a', tolkits: [] }, 'tolkits: is no option; did you mean toolkits?'],
    [{ name: 'a', discoveryTtlMs: -1 }, 'discoveryTtlMs: must be a whole number of ms'],
  ])('refuses the options %o', (options, message) => {
    expect(() => new McpServer(untyped(options))).toThrow(message)
  })

  it('repeats no secret', () => {
    expect(() => new McpServer({ name: 'a', stateSecret: 'hunter2' })).toThrow(
      /^stateSecret: must be a string of 16 characters or more$/,
    )
  })

  it('lists tools by name, whatever the order they were registered in', async () => {
    const server = named('sorted')
    for (const name of ['b', 'a.z', 'B', 'a']) server.tool(name, {}, nothing)
    expect((await server.toolsForLlm()).map((tool) => tool.function.name)).toEqual(['B', 'a', 'a.z', 'b'])
  })

  it('names what a group holds after its prefix, also in groups of groups', async () => {
    const server = named('grouped')
    server.group('file', (file) => {
      file.tool('read', {}, nothing)
      file.group('deep', (deep) => deep.tool('list', {}, nothing), { separator: '-' })
    })
    expect((await server.toolsForLlm()).map((tool) => tool.function.name)).toEqual([
      'file_deep-list',
      'file_read',
    ])
  })

  it('takes a tool away again, and tells that the catalogue changed', async () => {
    const server = named('changing')
    let told = 0
    const stop = server.on('catalogue', () => {
      told += 1
    })
    const take = server.tool('a', {}, nothing)
    take()
    take()
    expect([told, await server.toolsForLlm()]).toEqual([2, []])
    stop()
    server.tool('a', {}, nothing)
    expect(told).toBe(2)
  })

  it('hands a handler what its schema makes of the arguments', async () => {
    const server = named('typed')
    server.tool('double', { inputSchema: z.object({ n: z.coerce.number() }) }, ({ n }) => `${n * 2}`)
    const [tool] = await server.toolsForLlm()
    expect(tool?.function.parameters).toMatchObject({ type: 'object', required: ['n'] })
    const call = { id: '1', function: { name: 'double', arguments: { n: '21' } } }
    expect(await server.executeToolCalls([call])).toMatchObject([{ content: '42', is_error: false }])
  })

  it('takes two schemas of the same $id', () => {
    const server = named('twins')
    const inputSchema = (type: string) => ({
      $id: 'https://example.com/x',
      type: 'object',
      properties: { a: { type } },
    })
    server.tool('a', { inputSchema: inputSchema('string') }, nothing)
    expect(() => server.tool('b', { inputSchema: inputSchema('number') }, nothing)).not.toThrow()
  })
})
