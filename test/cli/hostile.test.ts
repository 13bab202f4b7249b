import { describe, expect, it } from 'vitest'
import { reportFailure } from '../../src/cli/failure.ts'
import type { Sink } from '../../src/cli/io.ts'
import { styleFor } from '../../src/cli/text/style.ts'
import type { UpEvent } from '../../src/cli/up/event.ts'
import { jsonLines } from '../../src/cli/up/json-lines.ts'
import { liveTable } from '../../src/cli/up/live-table.ts'
import { plainLines } from '../../src/cli/up/plain-lines.ts'
import { ProtocolError } from '../../src/errors.ts'
import { json, root, troupe } from './harness.ts'

/** A modern server that answers with what is given, by method; of several messages the last is the answer. */
function server(answers: { readonly [method: string]: object | readonly object[] }): string[] {
  const scenes = Object.entries(answers).map(([method, given]) => {
    const messages = Array.isArray(given) ? given : [given]
    return [method, [[...messages.slice(0, -1), { id: '$id', ...messages.at(-1) }]]]
  })
  return [
    '--',
    process.execPath,
    `${root}test/fixtures/servers/scripted.mjs`,
    JSON.stringify(Object.fromEntries(scenes)),
  ]
}

const complete = { resultType: 'complete' }
const tool = { name: 't', inputSchema: { type: 'object' } }
const listing = { 'tools/list': { result: { ...complete, tools: [tool] } } }
const prompts = { 'prompts/list': { result: { ...complete, prompts: [{ name: 'p' }] } } }

const calling = (block: unknown) =>
  [['call', 't'], { ...listing, 'tools/call': { result: { ...complete, content: [block] } } }] as const
const prompting = (message: unknown) =>
  [['prompt', 'p'], { ...prompts, 'prompts/get': { result: { ...complete, messages: [message] } } }] as const
const reading = (contents: unknown) =>
  [['read', 'a:b'], { 'resources/read': { result: { ...complete, contents: [contents] } } }] as const

describe('content that is none', () => {
  it.each([
    ['content[0] is no object', calling(null)],
    ['content[0] has no type that is a string', calling({ type: {} })],
    ['content[0] has no text that is a string', calling({ type: 'text', text: { toString: 1 } })],
    ['content[0] has no data that is a string', calling({ type: 'image', data: 5 })],
    ['content[0] has no uri that is a string', calling({ type: 'resource_link' })],
    ['content[0] has a resource that is no object', calling({ type: 'resource', resource: null })],
    ['content[0] has a resource that has neither text nor blob', calling({ type: 'resource', resource: {} })],
    ['messages[0] is no object', prompting(7)],
    ['messages[0] has no role that is a string', prompting({ content: { type: 'text', text: '' } })],
    ['messages[0] has content that is no object', prompting({ role: 'user', content: 'hi' })],
    ['contents[0] is no object', reading('text')],
    ['contents[0] has neither text nor blob', reading({ uri: 'a:b', text: 5 })],
  ])('is a fault of the server: %s', async (complaint, [argv, answers]) => {
    const { exitCode, out, err } = await troupe([...argv, ...server(answers)])
    expect({ exitCode, out }).toEqual({ exitCode: 4, out: '' })
    expect(err).toMatch(/^error: The answer to \S+ is invalid: .*\nTell the author of the server\..*\n$/)
    expect(err).toContain(complaint)
  })

  it('is none for what can be shown without it', async () => {
    const odd = [
      { type: 'image', data: 'AAAA', mimeType: 5 },
      { type: 'resource_link', uri: 'a:b', name: {}, title: null, size: 'huge' },
      { type: 'hologram', text: 5 },
      { type: 'resource', resource: { text: 'inside', uri: ['x'] } },
    ]
    const answers = { ...listing, 'tools/call': { result: { ...complete, content: odd } } }
    expect(await troupe(['call', 't', ...server(answers)])).toMatchObject({
      exitCode: 0,
      out: '[3 B]\n[a:b]\n[hologram]\n[]\ninside\n',
      err: '',
    })
  })

  it('stands in no way of the evidence of a probe', async () => {
    const unprintable = { toString: 1 }
    const discovery = {
      supportedVersions: [unprintable, '2026-07-28'],
      capabilities: { tools: unprintable, logging: null },
      serverInfo: { name: 'x', version: unprintable, title: [unprintable] },
      instructions: unprintable,
    }
    const { exitCode, out } = await troupe([
      'probe',
      ...server({
        'server/discover': { result: discovery },
        initialize: { result: { protocolVersion: unprintable } },
      }),
    ])
    expect(exitCode).toBe(4)
    expect(out).toContain('verdict       undecided')
  })
})

// Moves the cursor, sets the title, reaches the clipboard, turns text around, each in both spellings where there are two.
const attack = '\u001b[2J\u009b2J\u001b]0;x\u0007\u009d52;c;aGk=\u009c\r\u0008\u202e\u2066'
/** Nothing of the kind may reach a terminal; without colours of ours there is none. */
const commands = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u
const terminal = { terminal: true, env: { NO_COLOR: '1' } }
const evil = `a${attack}b`

const everywhere = {
  'server/discover': {
    result: {
      supportedVersions: ['2026-07-28', evil],
      capabilities: { [evil]: { [evil]: true }, logging: {} },
      instructions: evil,
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: evil, version: evil, title: evil } },
    },
  },
  'tools/list': {
    result: {
      tools: [
        {
          name: evil,
          title: evil,
          description: evil,
          inputSchema: {
            type: 'object',
            properties: {
              [evil]: { type: evil },
              e: { enum: [evil], default: evil },
              r: { $ref: `#/x/${evil}` },
            },
          },
          outputSchema: { type: evil, const: evil },
        },
        tool,
      ],
    },
  },
  'tools/call': {
    result: {
      content: [
        { type: 'text', text: evil },
        { type: 'image', data: 'AAAA', mimeType: evil },
        { type: 'resource_link', uri: evil, name: evil, mimeType: evil },
        { type: 'resource', resource: { uri: evil, mimeType: evil, text: evil } },
        { type: evil },
      ],
      structuredContent: { [evil]: evil },
    },
  },
  'resources/list': { result: { resources: [{ uri: evil, name: evil, description: evil, mimeType: evil }] } },
  'resources/templates/list': {
    result: { resourceTemplates: [{ uriTemplate: evil, name: evil, title: evil }] },
  },
  'resources/read': { result: { contents: [{ uri: evil, mimeType: evil, text: evil }] } },
  'prompts/list': {
    result: { prompts: [{ name: evil, description: evil, arguments: [{ name: evil }] }, { name: 'p' }] },
  },
  'prompts/get': { result: { messages: [{ role: evil, content: { type: 'text', text: evil } }] } },
}

describe.each([[['--json']], [['--verbose']]])('a server that attacks the terminal, with %j', (flags) => {
  it.each([
    [['probe']],
    [['tools']],
    [['tools', 't']],
    [['tools', evil]],
    [['tools', 'nonsense']],
    [['call', 't']],
    [['resources']],
    [['read', 'a:b']],
    [['prompts']],
    [['prompt', 'p']],
    [['prompt', 'nonsense']],
  ])('is shown, not obeyed: %j', async (argv) => {
    const given = [...argv, ...flags, ...server(everywhere)]
    const { out, err } = await troupe(given, terminal)
    expect(out + err).not.toMatch(commands)
    if (flags.includes('--json')) expect(json(out || err)).toBeTypeOf('object')
  })

  it.each([
    ['an error', { 'tools/list': { error: { code: 1, message: evil, data: { [evil]: evil } } } }],
    ['a message that is none', { 'tools/list': { method: evil } }],
    ['a type of result', { 'tools/list': { result: { resultType: evil } } }],
  ])('is shown in %s too', async (_, answers) => {
    const { err } = await troupe(['tools', '--timeout', '500', ...flags, ...server(answers)], terminal)
    expect(err).not.toMatch(commands)
    expect(err).not.toBe('')
  })

  it('is shown in its progress and its log too', async () => {
    const notes = [
      {
        method: 'notifications/progress',
        params: { progressToken: '$token', progress: 1, total: 2, message: evil },
      },
      { method: 'notifications/message', params: { level: 'error', logger: evil, data: { [evil]: evil } } },
      { method: 'notifications/message', params: { level: 'error', data: evil } },
    ]
    const answers = { ...listing, 'tools/call': [...notes, { result: { content: [] } }] }
    const { err } = await troupe(
      ['call', 't', '--log-level', 'debug', ...flags, ...server(answers)],
      terminal,
    )
    expect(err).toContain('[error] a')
    expect(err.replaceAll('\r\u001b[K', '')).not.toMatch(commands)
  })

  it('is shown in the failure of a tool too', async () => {
    const answers = {
      'tools/list': { result: { tools: [{ ...tool, name: evil }] } },
      'tools/call': { result: { content: [{ type: 'text', text: evil }], isError: true } },
    }
    const { err, exitCode } = await troupe(['call', evil, ...flags, ...server(answers)], terminal)
    expect(exitCode).toBe(5)
    expect(err).not.toMatch(commands)
  })

  it('is shown in its last words', async () => {
    const code = `console.error(${JSON.stringify(`first${evil}\n${evil}`)}); process.exit(1)`
    const { err } = await troupe(['tools', ...flags, '--', process.execPath, '-e', code], {
      ...terminal,
    })
    expect(err).toContain('first')
    expect(err).not.toMatch(commands)
  })
})

it.each([
  ['a line', (sink: Sink) => plainLines(sink, styleFor(sink, terminal.env))],
  ['the table', (sink: Sink) => liveTable(sink, styleFor(sink, terminal.env))],
  ['JSON', jsonLines],
])('what troupe up tells is shown, not obeyed, in %s', (_, viewOf) => {
  const written: string[] = []
  const view = viewOf({ isTerminal: true, columns: 80, write: (chunk) => void written.push(`${chunk}`) })
  const row = {
    server: evil,
    state: 'backingOff',
    generation: 1,
    restarts: 1,
    calls: 1,
    lastError: evil,
  } as const
  const events: UpEvent[] = [
    { event: 'config', file: evil, servers: [evil] },
    { event: 'warning', message: evil },
    { event: 'stderr', server: evil, line: evil },
    { event: 'server', ...row },
  ]
  for (const event of events) view.show(event, [row])
  const own = '\r\u001b[2A\u001b[J'
  for (const text of written) expect(text.replace(own, '')).not.toMatch(commands)
})

describe('a failure', () => {
  const told = (error: unknown, how: object = {}) => {
    const written: string[] = []
    const sink = {
      isTerminal: true,
      columns: 80,
      write: (chunk: string | Uint8Array) => void written.push(`${chunk}`),
    }
    const io = {
      out: sink,
      err: sink,
      cwd: '/',
      env: {},
      interrupt: new AbortController().signal,
      readStdin: async () => '',
    }
    reportFailure(error, io, { json: false, verbose: false, ...how })
    return written.join('')
  }
  let nested: unknown = 'core'
  for (let depth = 0; depth < 100_000; depth++) nested = [nested]

  it.each([
    ['that is nested too deeply', nested],
    [
      'that goes in circles',
      Object.assign(Object.create(null), {
        get self() {
          return this
        },
      }),
    ],
    ['that is no JSON', 5n],
  ])('is told whatever data it has: data %s', (_, data) => {
    const error = new ProtocolError({ code: 5, message: 'no', data })
    expect(told(error)).toContain('the server answered with error 5')
    expect(json(told(error, { json: true }))).toMatchObject({ error: { name: 'ProtocolError', code: 5 } })
  })

  it('is one line, and valid JSON, with whatever characters it holds', () => {
    const error = new ProtocolError({ code: 5, message: `${evil}\u2028\u0085\n`, data: evil })
    const line = told(error, { json: true })
    expect(line).toMatch(/^[^\n\u0085\u2028\u2029]+\n$/)
    expect(line).not.toMatch(commands)
    expect(json(line)).toMatchObject({ error: { message: error.message, data: evil } })
  })
})

describe('a schema that refers to itself a thousand times', () => {
  const references = Array.from({ length: 1000 }, () => ({ $ref: '#' }))
  const properties = Object.fromEntries(references.map((reference, index) => [`p${index}`, reference]))

  it.each([
    ['unions', { type: 'object', properties: { a: { anyOf: references } }, anyOf: references }],
    ['parts', { type: 'object', properties: { a: { allOf: references } }, allOf: references }],
    ['members', { type: 'object', properties }],
    ['items', { type: 'object', properties: { a: { prefixItems: references } } }],
  ])('is listed and called: %s', async (_, inputSchema) => {
    const answers = {
      'tools/list': { result: { tools: [{ name: 't', inputSchema }] } },
      'tools/call': { result: { content: [{ type: 'text', text: 'done' }] } },
    }
    expect(await troupe(['tools', ...server(answers)])).toMatchObject({ exitCode: 0, err: '' })
    expect(await troupe(['call', 't', 'a={}', ...server(answers)])).toMatchObject({
      exitCode: 0,
      out: 'done\n',
    })
  })
})

it('what is longer than anybody reads is cut, and whole with --json', async () => {
  const endless = { ...tool, name: 'word '.repeat(4_000), description: 'x '.repeat(200_000) }
  const code = `
    const answer = { resultType: 'complete', tools: [{ ...${JSON.stringify(tool)}, name: 'word '.repeat(4_000), description: 'x '.repeat(200_000) }] }
    const discovery = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line)
      const result = method === 'tools/list' ? answer : discovery
      console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })`
  const of = ['--', process.execPath, '-e', code]
  const list = await troupe(['tools', ...of], terminal)
  expect(list.out).toMatch(/…\(\)\n {2}x x /)
  const page = await troupe(['tools', endless.name, ...of], terminal)
  expect(page.out).toContain('… (300000 characters more with --json)')
  const { out } = await troupe(['tools', endless.name, '--json', ...of])
  expect(json(out)).toEqual(endless)
})
