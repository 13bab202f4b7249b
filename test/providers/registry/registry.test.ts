import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import {
  ConfigError,
  type Provider,
  ProviderFailedError,
  Registry,
  type ToolCall,
  type ToolDeclaration,
} from '../../../src/index.ts'
import { TestClock } from '../../../src/testing/index.ts'
import { Heard } from '../../e2e/heard.ts'
import { deferred } from '../../model/deferred.ts'
import { call, declared, failing, namesOf, registry, said, Toolkit } from './provider.ts'

describe('a registry', () => {
  it('publishes the tools of each provider under its prefix, in the order they were added', async () => {
    const tools = registry()
    tools.add(new Toolkit('read', 'write'), { prefix: 'fs' })
    tools.add(new Toolkit('search'), { prefix: 'web' })
    expect(await namesOf(tools)).toEqual(['fs_read', 'fs_write', 'web_search'])
    const [first] = await tools.toolsForLlm()
    expect(first).toEqual({
      ...declared('read'),
      function: { ...declared('read').function, name: 'fs_read' },
    })
  })

  it('hands each provider its calls as one batch, by its own names, and answers in the order it was asked', async () => {
    const tools = registry()
    const [fs, web] = [new Toolkit('read', 'write'), new Toolkit('search')]
    tools.add(fs, { prefix: 'fs' })
    tools.add(web, { prefix: 'web' })
    await tools.toolsForLlm()
    const calls = [call('fs_write', '{"a":1}'), call('web_search'), call('fs_read')]
    const results = await tools.executeToolCalls(calls)
    expect(results).toEqual([
      said(calls[0] as never, 'write was run'),
      said(calls[1] as never, 'search was run'),
      said(calls[2] as never, 'read was run'),
    ])
    expect(fs.batches).toEqual([
      [
        { id: calls[0]?.id, function: { name: 'write', arguments: '{"a":1}' } },
        { id: calls[2]?.id, function: { name: 'read', arguments: {} } },
      ],
    ])
    expect(web.batches).toHaveLength(1)
  })

  it('finds tools that nobody listed before', async () => {
    const tools = registry()
    tools.add(new Toolkit('read'), { prefix: 'fs' })
    expect(await tools.executeToolCalls([call('fs_read')])).toMatchObject([{ content: 'read was run' }])
  })

  it.each([
    [
      'prefixes that begin alike',
      'fs',
      'ext_read',
      'fs_ext',
      'read_file',
      ['fs_ext_read', 'fs_ext_read_file'],
    ],
    ['names that hold the separator', 'a', 'b_c_d', 'x', 'y_z', ['a_b_c_d', 'x_y_z']],
  ])('routes by table, also with %s', async (_, prefix, name, otherPrefix, otherName, published) => {
    const tools = registry()
    const [one, other] = [new Toolkit(name), new Toolkit(otherName)]
    tools.add(one, { prefix })
    tools.add(other, { prefix: otherPrefix })
    expect(await namesOf(tools)).toEqual(published)
    await tools.executeToolCalls(published.map((name) => call(name)))
    expect([one, other].map(({ batches }) => batches[0]?.map((made) => made.function.name))).toEqual([
      [name],
      [otherName],
    ])
  })

  it('tells of a tool that is none which it may have been', async () => {
    const tools = registry()
    tools.add(new Toolkit('read_file'), { prefix: 'fs' })
    expect(await tools.executeToolCalls([call('fs_readFile'), call('zzz')])).toMatchObject([
      {
        is_error: true,
        content: 'There is no tool fs_readFile. Did you mean fs_read_file? Nothing was done.',
      },
      { is_error: true, content: 'There is no tool zzz. Nothing was done.' },
    ])
  })

  it.each([[null], [{}], ['call'], [{ id: 'x', function: null }], [{ id: 'x', function: { name: 3 } }]])(
    'answers what is no call, %o, without troubling anybody',
    async (bad) => {
      const tools = registry()
      const kit = new Toolkit('read')
      tools.add(kit, { prefix: 'fs' })
      const results = await tools.executeToolCalls([bad as never, call('fs_read')])
      expect(results).toMatchObject([{ is_error: true }, { content: 'read was run' }])
      expect(kit.batches[0]).toHaveLength(1)
    },
  )

  it('answers what is no list of calls, and options it does not know', async () => {
    const tools = registry()
    expect(await tools.executeToolCalls('calls' as never)).toMatchObject([{ is_error: true }])
    const results = await tools.executeToolCalls([call('a'), call('b')], { signals: 1 } as never)
    expect(results).toMatchObject([
      { is_error: true },
      { is_error: true, content: expect.stringContaining('signals') },
    ])
  })

  it('publishes what allow and deny leave, and runs nothing else', async () => {
    const tools = registry()
    const kit = new Toolkit('read', 'read_all', 'write', 'drop')
    tools.add(kit, { prefix: 'fs', allow: ['read*', 'drop'], deny: ['drop', 'read_all'] })
    expect(await namesOf(tools)).toEqual(['fs_read'])
    expect(await tools.executeToolCalls([call('fs_drop')])).toMatchObject([{ is_error: true }])
    expect(kit.batches).toEqual([])
  })

  it('nests', async () => {
    const [inner, outer] = [registry({ separator: '-' }), registry()]
    const kit = new Toolkit('read')
    inner.add(kit, { prefix: 'fs' })
    outer.add(inner, { prefix: 'box' })
    expect(await namesOf(outer)).toEqual(['box_fs-read'])
    expect(await outer.executeToolCalls([call('box_fs-read')])).toMatchObject([{ content: 'read was run' }])
    expect(kit.batches).toHaveLength(1)
  })

  it('hands on signal, claim and progress', async () => {
    const tools = registry()
    const kit = new Toolkit('read')
    tools.add(kit, { prefix: 'fs' })
    const options = { signal: AbortSignal.timeout(60_000), claim: 'agent', onProgress: () => {} }
    await tools.executeToolCalls([call('fs_read')], options)
    expect(kit.options).toEqual([options])
  })
})

/** What nobody should throw, and somebody does. */
const thrown = [
  ['what is no text', Object.create(null)],
  ['a symbol', Symbol('out of order')],
  ['an error whose message is none', Object.assign(new Error(), { message: { not: 'a text' } })],
  [
    'an error that cannot be read',
    Object.defineProperty(new Error(), 'message', {
      get() {
        throw new Error('not even that')
      },
    }),
  ],
  [
    'what answers nothing asked of it',
    new Proxy(
      {},
      {
        getPrototypeOf() {
          throw new Error('not even that')
        },
      },
    ),
  ],
] as const

describe('a provider that fails', () => {
  it.each<readonly [string, Partial<Provider>, string]>([
    ['throws', { executeToolCalls: () => Promise.reject(new Error('out of order')) }, 'out of order'],
    [
      'throws at once',
      {
        executeToolCalls: () => {
          throw new Error('out of order')
        },
      },
      'out of order',
    ],
    [
      'throws what has no text',
      { executeToolCalls: () => Promise.reject(Object.create(null)) },
      'a value of type object',
    ],
    ['answers too few', { executeToolCalls: async () => [] }, 'did not answer each call once'],
    [
      'answers nothing',
      { executeToolCalls: async () => undefined as never },
      'did not answer each call once',
    ],
    ['answers nonsense', { executeToolCalls: async () => [7, null] as never }, 'no result of the call'],
    [
      'takes the list of calls to pieces, and answers none',
      { executeToolCalls: async (calls: readonly unknown[]) => (calls as unknown[]).splice(0) as never },
      'no result of the call',
    ],
    [
      'changes the ids of its calls',
      {
        executeToolCalls: async (calls: readonly ToolCall[]) =>
          calls.map((made) => said(Object.assign(made, { id: 'other' }), 'hm')),
      },
      'no result of the call',
    ],
    ...thrown.map(([what, value]): readonly [string, Partial<Provider>, string] => [
      `throws ${what}`,
      { executeToolCalls: () => Promise.reject(value) },
      'The provider bad failed',
    ]),
    [
      'answers under other ids',
      { executeToolCalls: async (calls: readonly never[]) => calls.map(() => said(call('x'), 'hm')) },
      'no result of the call',
    ],
  ])('because it %s fails only its own calls', async (_, what, text) => {
    const tools = registry()
    tools.add(failing(what), { prefix: 'bad' })
    tools.add(new Toolkit('read'), { prefix: 'good' })
    const calls = [call('bad_a'), call('good_read'), call('bad_b')]
    const results = await tools.executeToolCalls(calls)
    expect(results.map((result) => result.tool_call_id)).toEqual(calls.map(({ id }) => id))
    expect(results).toMatchObject([
      { is_error: true, content: expect.stringContaining(text) },
      { is_error: false, content: 'read was run' },
      { is_error: true, content: expect.stringContaining('bad') },
    ])
    expect(tools.providers).toMatchObject([
      {
        prefix: 'bad',
        kind: 'inProcess',
        state: 'up',
        calls: 2,
        lastFailure: { message: expect.any(String) },
      },
      { prefix: 'good', calls: 1, lastFailure: undefined },
    ])
  })

  it.each([
    ['throws', async () => Promise.reject(new Error('no catalogue'))],
    ['lists no array', async () => ({}) as never],
    ['lists what is no tool', async () => [{ type: 'function' }] as never],
  ])('to list, because it %s, is named, or left out', async (_, toolsForLlm) => {
    const [strict, lenient] = [registry(), registry({ onListFailure: 'omit' })]
    for (const tools of [strict, lenient]) {
      tools.add(failing({ toolsForLlm }), { prefix: 'bad' })
      tools.add(new Toolkit('read'), { prefix: 'good' })
    }
    const failure = await strict.toolsForLlm().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ProviderFailedError)
    expect(failure).toMatchObject({ code: 'PROVIDER_FAILED', provider: 'bad' })
    expect(await strict.executeToolCalls([call('good_read')])).toMatchObject([{ content: 'read was run' }])
    expect(await strict.executeToolCalls([call('bad_a')])).toMatchObject([
      { is_error: true, content: expect.stringContaining('The provider bad cannot list its tools') },
    ])
    expect(await namesOf(lenient)).toEqual(['good_read'])
    expect(lenient.warnings).toEqual([expect.stringContaining('bad')])
  })

  it('to list after it had listed keeps the tools it had', async () => {
    const tools = registry()
    const kit = new Toolkit('read')
    tools.add(kit, { prefix: 'fs' })
    await tools.toolsForLlm()
    kit.toolsForLlm = () => Promise.reject(new Error('gone fishing'))
    expect(await namesOf(tools)).toEqual(['fs_read'])
    expect(tools.warnings).toEqual([expect.stringContaining('gone fishing')])
  })

  it.each(thrown)('to list, because it throws %s, is left out', async (_, value) => {
    const tools = registry({ onListFailure: 'omit' })
    tools.add(failing({ toolsForLlm: () => Promise.reject(value) }), { prefix: 'bad' })
    tools.add(new Toolkit('read'), { prefix: 'good' })
    expect(await namesOf(tools)).toEqual(['good_read'])
  })

  it.each([
    ['null', null],
    ['a tool without a name', { type: 'function', function: {} }],
    ['a tool whose name is empty', declared('')],
  ])('to list a tool properly, but %s, has the others published', async (_, bad) => {
    const tools = registry()
    tools.add(failing({ toolsForLlm: async () => [declared('a'), bad as never, declared('b')] }), {
      prefix: 'x',
    })
    expect(await namesOf(tools)).toEqual(['x_a', 'x_b'])
    expect(tools.warnings).toEqual([expect.stringContaining('x lists 1 of 3 tools without a name')])
  })

  it('to say whose its results are in every word has that said for it', async () => {
    const tools = registry()
    const terse = {
      executeToolCalls: async () => [{ tool_call_id: 'c', content: 'hm', is_error: false }] as never,
    }
    tools.add(failing(terse), { prefix: 'x' })
    expect(await tools.executeToolCalls([{ ...call('x_a'), id: 'c' }])).toEqual([
      { role: 'tool', tool_call_id: 'c', content: 'hm', is_error: false },
    ])
  })

  it('to keep its names apart has the first published', async () => {
    const tools = registry()
    tools.add(new Toolkit('read', 'read'), { prefix: 'fs' })
    expect(await namesOf(tools)).toEqual(['fs_read'])
    expect(tools.warnings).toEqual([expect.stringContaining('twice')])
  })
})

describe('lists that overlap', () => {
  const slow = () => {
    const lists = [deferred<readonly ToolDeclaration[]>(), deferred<readonly ToolDeclaration[]>()]
    let count = 0
    const tools = registry()
    tools.add(failing({ toolsForLlm: () => (lists[count++] ?? expect.fail('listed again')).promise }), {
      prefix: 'x',
    })
    return { tools, first: lists[0] ?? expect.fail(), second: lists[1] ?? expect.fail() }
  }

  it('each have the tools, whichever is done first', async () => {
    const { tools, first, second } = slow()
    const [one, other] = [namesOf(tools), namesOf(tools)]
    first.resolve([declared('a')])
    expect(await one).toEqual(['x_a'])
    second.resolve([declared('b')])
    expect(await other).toEqual(['x_b'])
  })

  it('leave what the later one found', async () => {
    const { tools, first, second } = slow()
    const [one, other] = [namesOf(tools), namesOf(tools)]
    second.resolve([declared('b')])
    expect(await other).toEqual(['x_b'])
    first.resolve([declared('a')])
    expect(await one).toEqual(['x_b'])
  })

  it('are not lost because a provider went meanwhile, but it is', async () => {
    const { tools, first } = slow()
    tools.add(new Toolkit('read'), { prefix: 'gone' })
    const names = namesOf(tools)
    await tools.remove('gone')
    first.resolve([declared('a')])
    expect(await names).toEqual(['x_a'])
  })

  it('find the tools of each of two batches', async () => {
    const { tools, first, second } = slow()
    const batches = [tools.executeToolCalls([call('x_a')]), tools.executeToolCalls([call('x_a')])]
    for (const list of [first, second]) list.resolve([declared('a')])
    for (const results of await Promise.all(batches))
      expect(results).toMatchObject([{ content: 'a was run' }])
  })

  it('see what a provider changed in the list it hands out', async () => {
    const tools = registry()
    const list = [declared('a')]
    tools.add(failing({ toolsForLlm: async () => list }), { prefix: 'x' })
    expect(await namesOf(tools)).toEqual(['x_a'])
    list.push(declared('b'))
    expect(await namesOf(tools)).toEqual(['x_a', 'x_b'])
  })
})

describe('an abort', () => {
  const never = () => new Promise<never>(() => {})

  it.each<readonly [string, Partial<Provider> & { readonly toolAnnotations?: unknown }]>([
    ['to be listed', { toolsForLlm: never }],
    ['to say whether calls may run at once', { toolAnnotations: never }],
  ])('is not kept waiting by a provider that was asked %s', async (_, what) => {
    const tools = registry({ onListFailure: 'omit' })
    tools.add(new Toolkit('read'), { prefix: 'good' })
    await tools.toolsForLlm()
    tools.add(failing(what), { prefix: 'bad' })
    const controller = new AbortController()
    const batch = tools.executeToolCalls([call('bad_a'), call('good_read')], { signal: controller.signal })
    await new TestClock().settle()
    controller.abort()
    const notMade = { is_error: true, content: expect.stringContaining('cancelled before its turn') }
    expect(await batch).toMatchObject([notMade, notMade])
  })
})

it('a provider that is an emitter of Node comes and goes', async () => {
  const tools = registry()
  const emitter = Object.assign(new EventEmitter(), {
    toolsForLlm: async () => [declared('a')],
    executeToolCalls: async (calls: readonly ToolCall[]) => calls.map((made) => said(made, 'hm')),
  })
  tools.add(emitter as never, { prefix: 'x' })
  const told = new Heard<readonly string[]>()
  tools.on('catalogue', ({ path }) => told.hear(path))
  emitter.emit('catalogue')
  emitter.emit('child')
  emitter.emit('child', { path: 'x' })
  expect(await told.first((path) => path[0] === 'x')).toEqual(['x'])
  expect(await tools.remove('x')).toBe(emitter)
})

it('a call of a tool that is none costs little, whatever it is called', async () => {
  const tools = registry()
  tools.add(new Toolkit(...Array.from({ length: 300 }, (_, index) => `a_tool_of_a_long_name_${index}`)), {
    prefix: 'x',
  })
  const [result] = await tools.executeToolCalls([call('x'.repeat(10_000_000))])
  expect(result).toMatchObject({
    is_error: true,
    content: expect.stringMatching(/^There is no tool x+…\. Nothing was done\.$/),
  })
})

describe('the order of a batch over several providers', () => {
  const slow = (log: string[], name: string, annotations?: object) =>
    Object.assign(new Toolkit('do'), {
      executeToolCalls: async (calls: readonly ReturnType<typeof call>[]) => {
        log.push(`${name} begins`)
        await new Promise<void>((resolve) => setImmediate(resolve))
        log.push(`${name} ends`)
        return calls.map((made) => said(made, name))
      },
      toolAnnotations: async () => annotations,
    })

  it.each([
    ['one after the other', undefined, ['a begins', 'a ends', 'b begins', 'b ends']],
    ['one after the other', { readOnlyHint: true }, ['a begins', 'a ends', 'b begins', 'b ends']],
    ['at once', { readOnlyHint: true, idempotentHint: true }, ['a begins', 'b begins', 'a ends', 'b ends']],
  ])('is %s for tools annotated %o', async (_, annotations, expected) => {
    const log: string[] = []
    const tools = registry()
    tools.add(slow(log, 'a', annotations), { prefix: 'a' })
    tools.add(slow(log, 'b', annotations), { prefix: 'b' })
    await tools.executeToolCalls([call('a_do'), call('b_do')])
    expect(log).toEqual(expected)
  })

  it('is cut short by an abort: what has not begun is not made', async () => {
    const abort = new AbortController()
    const tools = registry()
    const second = new Toolkit('do')
    const first = Object.assign(new Toolkit('do'), {
      executeToolCalls: async (calls: readonly ReturnType<typeof call>[]) => {
        abort.abort()
        return calls.map((made) => said(made, 'made'))
      },
    })
    tools.add(first, { prefix: 'a' })
    tools.add(second, { prefix: 'b' })
    const results = await tools.executeToolCalls([call('a_do'), call('b_do')], { signal: abort.signal })
    expect(results).toMatchObject([{ content: 'made' }, { is_error: true }])
    expect(second.batches).toEqual([])
  })
})

describe('a registry at run time', () => {
  it('takes entries out and puts others in their place', async () => {
    const tools = registry()
    const [old, other] = [new Toolkit('read'), new Toolkit('write')]
    tools.add(old, { prefix: 'fs' })
    await tools.toolsForLlm()
    expect(await tools.replace('fs', other)).toBe(old)
    expect(await tools.executeToolCalls([call('fs_read'), call('fs_write')])).toMatchObject([
      { is_error: true },
      { content: 'write was run' },
    ])
    expect(await tools.remove('fs')).toBe(other)
    expect(await tools.remove('fs')).toBeUndefined()
    expect(tools.providers).toEqual([])
    expect(await tools.executeToolCalls([call('fs_write')])).toMatchObject([{ is_error: true }])
    expect(await namesOf(tools)).toEqual([])
  })

  it('tells once of many changes, with the path, and finds the new tools', async () => {
    const clock = new TestClock()
    const [inner, outer] = [registry({ clock }), registry({ clock })]
    const kit = new Toolkit('read')
    inner.add(kit, { prefix: 'fs' })
    outer.add(inner, { prefix: 'box' })
    await outer.toolsForLlm()
    await clock.advanceAsync(1_000)
    const told: unknown[] = []
    outer.on('catalogue', (event) => told.push(event))
    kit.tools = ['read', 'write']
    for (let change = 0; change < 5; change++) kit.tell('catalogue', { path: [] })
    await clock.advanceAsync(1_000)
    expect(told).toEqual([{ path: ['box', 'fs'] }])
    expect(await outer.executeToolCalls([call('box_fs_write')])).toMatchObject([{ content: 'write was run' }])
  })

  it('passes on what its providers tell of their children, by published names', async () => {
    const tools = registry()
    const kit = new Toolkit('read', 'wr!te')
    tools.add(kit, { prefix: 'fs', deny: ['hidden'] })
    const [, hashed] = await namesOf(tools)
    const told: unknown[] = []
    const stop = tools.on('child', (event) => told.push(event))
    const event = { path: ['x'], state: 'backingOff', generation: 3, tools: ['wr!te', 'hidden'] } as const
    kit.tell('child', event)
    stop()
    kit.tell('child', event)
    expect(told).toEqual([{ ...event, path: ['fs', 'x'], tools: [hashed] }])
  })

  it('hears nothing more of what was removed, and survives a listener that throws', async () => {
    const tools = registry()
    const kit = new Toolkit('read')
    tools.add(kit, { prefix: 'fs' })
    const told: unknown[] = []
    tools.on('child', () => {
      throw new Error('deaf')
    })
    tools.on('child', (event) => told.push(event))
    const event = { path: [], state: 'up', generation: 1, tools: [] } as const
    kit.tell('child', event)
    await tools.remove('fs')
    kit.tell('child', event)
    expect(told).toHaveLength(1)
    expect(tools.warnings).toEqual(['a child listener threw: deaf'])
  })

  it('does nothing once it is closed', async () => {
    const tools = registry()
    const kit = new Toolkit('read')
    tools.add(kit, { prefix: 'fs' })
    await tools.close()
    await tools.close()
    expect(await tools.executeToolCalls([call('fs_read')])).toMatchObject([
      { is_error: true, content: expect.stringContaining('The registry is closed. Nothing was done.') },
    ])
    await expect(tools.toolsForLlm()).rejects.toThrow('The registry is closed')
    expect(() => tools.add(kit, { prefix: 'other' })).toThrow('The registry is closed')
    expect(kit.batches).toEqual([])
  })
})

describe('bad options', () => {
  const kit = new Toolkit()
  const command = process.execPath
  it.each<[string, (tools: Registry) => unknown, readonly string[]]>([
    ['an unknown option of a registry', () => new Registry({ seperator: '_' } as never), ['seperator']],
    ['a bad separator', () => new Registry({ separator: '.' }), ['separator']],
    ['a bad default', () => new Registry({ maxRestarts: -1 }), ['maxRestarts']],
    ['a bad default of clients', () => new Registry({ probeTimeoutMs: -1 }), ['probeTimeoutMs']],
    ['no options', (tools) => tools.add(kit, undefined as never), ['options']],
    ['no prefix', (tools) => tools.add(kit, {} as never), ['prefix']],
    ['an empty prefix', (tools) => tools.add(kit, { prefix: '' }), ['prefix']],
    ['a prefix with control characters', (tools) => tools.add(kit, { prefix: 'a\0b' }), ['prefix']],
    [
      'what only servers have',
      (tools) => tools.add(kit, { prefix: 'a', restart: 'never' } as never),
      ['restart'],
    ],
    ['no provider', (tools) => tools.add(undefined as never, { prefix: 'a' }), ['provider']],
    ['a server without command', (tools) => tools.add({} as never, { prefix: 'a' }), ['command']],
    [
      'a server that is two',
      (tools) => tools.add({ command, url: 'http://x' } as never, { prefix: 'a' }),
      ['url'],
    ],
    [
      'an unknown restart',
      (tools) => tools.add({ command }, { prefix: 'a', restart: 'always' as never }),
      ['restart'],
    ],
    [
      'a bad backoff',
      (tools) => tools.add({ command }, { prefix: 'a', backoff: { jitter: 2 } }),
      ['backoff', 'jitter'],
    ],
    [
      'an unknown client option',
      (tools) => tools.add({ command }, { prefix: 'a', eras: 1 } as never),
      ['eras'],
    ],
    [
      'an option of the other wire',
      (tools) => tools.add({ url: 'http://127.0.0.1:1' }, { prefix: 'a', killGraceMs: 1 }),
      ['killGraceMs'],
    ],
    [
      'a wire of one life',
      (tools) => tools.add({ command }, { prefix: 'a', transport: {} } as never),
      ['transport'],
    ],
    ['a restart of nothing', (tools) => tools.restart('a'), ['prefix']],
    ['an unknown event', (tools) => tools.on('tools' as never, () => {}), ['event']],
  ])('such as %s are refused by name', (_, act, path) => {
    const tools = registry()
    let failure: unknown
    try {
      act(tools)
    } catch (error) {
      failure = error
    }
    expect(failure).toBeInstanceOf(ConfigError)
    expect(failure).toMatchObject({ path })
    expect(tools.providers).toEqual([])
  })

  it('such as a registry inside itself are refused, however deep', async () => {
    const [outer, middle, inner] = [registry(), registry(), registry()]
    outer.add(middle, { prefix: 'middle' })
    middle.add(inner, { prefix: 'inner' })
    inner.add(new Toolkit('read'), { prefix: 'fs' })
    for (const again of [outer, middle, inner])
      expect(() => inner.add(again, { prefix: 'again' })).toThrow(/^provider: is this registry, or holds it/)
    await expect(inner.replace('fs', outer)).rejects.toBeInstanceOf(ConfigError)
    expect(await namesOf(outer)).toEqual(['middle_inner_fs_read'])
  })

  it('such as a prefix that is taken leave what is there', async () => {
    const tools = registry()
    tools.add(new Toolkit('read'), { prefix: 'fs' })
    expect(() => tools.add(new Toolkit('other'), { prefix: 'fs' })).toThrow(ConfigError)
    await expect(tools.replace('fs', { command: '' })).rejects.toBeInstanceOf(ConfigError)
    await expect(tools.replace('none', new Toolkit())).rejects.toBeInstanceOf(ConfigError)
    expect(await namesOf(tools)).toEqual(['fs_read'])
  })
})
