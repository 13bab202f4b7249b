import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { InputRequest, LogMessage, Progress } from '../../src/index.ts'
import { connect, failureOf, fixture, hostings, pathOf, textOf } from './harness.ts'
import { Heard } from './heard.ts'

const published = (name: string, ...args: readonly string[]) => ({
  command: process.execPath,
  args: [pathOf(`../../node_modules/@modelcontextprotocol/${name}/dist/index.js`), ...args],
})
const everything = published('server-everything', 'stdio')
const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name)
const colour = { role: 'assistant', content: { type: 'text', text: 'red' }, model: 'none' } as const
const accept = { action: 'accept', content: { name: 'Ada' } } as const
const home = { roots: [{ uri: 'file:///home/ada', name: 'home' }] } as const

describe.each(hostings)('the server that has everything (%s)', (hosting) => {
  it('is a legacy one, whose lists, calls, resources and prompts all come', async () => {
    const { client } = connect({ ...everything, hosting })
    expect([await client.era(), await client.protocolVersion()]).toEqual(['legacy', '2025-11-25'])
    expect(await client.serverInfo()).toMatchObject({ name: 'mcp-servers/everything' })
    expect(names(await client.listTools())).toEqual(expect.arrayContaining(['echo', 'get-sum']))
    expect(textOf(await client.callTool('echo', { message: 'hé' }))).toContain('hé')
    expect(textOf(await client.callTool('get-sum', { a: 2, b: 3 }))).toContain('5')
    const { structuredContent } = await client.callTool('get-structured-content', { location: 'Chicago' })
    expect(structuredContent).toMatchObject({ temperature: 36 })
    const image = await client.callTool('get-tiny-image')
    expect(image.content).toContainEqual(expect.objectContaining({ type: 'image', mimeType: 'image/png' }))
    const [resource] = await client.listResources()
    expect((await client.readResource(resource?.uri ?? '')).contents).toHaveLength(1)
    expect((await client.listResourceTemplates()).length).toBeGreaterThan(0)
    expect(names(await client.listPrompts())).toContain('simple-prompt')
    expect((await client.getPrompt('simple-prompt')).messages.length).toBeGreaterThan(0)
    expect(await client.ping()).toBe(true)
    expect(await client.setLogLevel('error')).toBe(true)
  })

  it('may ask for input, a sample and the roots', async () => {
    const asked: InputRequest[] = []
    const answering =
      <Answer>(answer: Answer) =>
      (request: InputRequest): Answer => {
        asked.push(request)
        return answer
      }
    const { client } = connect({
      ...everything,
      hosting,
      onElicit: answering(accept),
      onSample: answering(colour),
      onListRoots: answering(home),
    })
    const elicited = await client.callTool('trigger-elicitation-request')
    // What the form leaves out is filled in by its defaults, of every type there is.
    expect(JSON.stringify(elicited.content)).toContain('It was a dark and stormy night.')
    expect(JSON.stringify(elicited.content)).toContain('- Favorite Integer: 42')
    const sampled = await client.callTool('trigger-sampling-request', { prompt: 'A colour?', maxTokens: 5 })
    expect(JSON.stringify(sampled.content)).toContain('red')
    expect(JSON.stringify((await client.callTool('get-roots-list')).content)).toContain('file:///home/ada')
    expect(new Set(asked.map(({ method }) => method))).toEqual(
      new Set(['elicitation/create', 'sampling/createMessage', 'roots/list']),
    )
  })
})

describe('the server that has everything', () => {
  it('reports progress', async () => {
    const { client } = connect(everything)
    const reports: Progress[] = []
    const args = { duration: 0.05, steps: 5 }
    const onProgress = (report: Progress) => reports.push(report)
    await client.callTool('trigger-long-running-operation', args, { onProgress })
    expect(reports).toEqual([1, 2, 3, 4, 5].map((progress) => ({ progress, total: 5 })))
  })
})

describe('the filesystem server', () => {
  it('reads and writes where it may, and refuses elsewhere', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-')))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'there.txt'), 'it is there')
    const { client } = connect(published('server-filesystem', folder))
    await client.listTools()
    const { content } = await client.callTool('read_text_file', { path: join(folder, 'there.txt') })
    expect(content).toMatchObject([{ type: 'text', text: 'it is there' }])
    await client.callTool('write_file', { path: join(folder, 'new.txt'), content: 'né 🎭' })
    const listed = await client.callTool('list_directory', { path: folder })
    expect(JSON.stringify(listed.content)).toContain('new.txt')
    expect(await client.callTool('read_text_file', { path: '/etc/passwd' })).toMatchObject({ isError: true })
  })

  it('takes the folders it may use from the roots', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-')))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const onListRoots = () => ({ roots: [{ uri: pathToFileURL(folder).href }] })
    const { client, stderr } = connect({ ...published('server-filesystem'), onListRoots })
    await client.era()
    await stderr.first((line) => line.includes('Updated allowed directories'))
    expect(JSON.stringify(await client.callTool('list_allowed_directories'))).toContain(folder)
  })
})

describe('a server of the first official SDK', () => {
  it('is understood in everything it does', async () => {
    const log = new Heard<LogMessage>()
    const { client, stderr } = connect({
      ...fixture('sdk-legacy'),
      onElicit: () => accept,
      onSample: () => colour,
      onListRoots: () => home,
      onLog: log.hear,
    })
    expect(await client.instructions()).toBe('Made with the SDK of 2025.')
    expect(names(await client.listTools())).toEqual(['add', 'steps', 'interview', 'wait', 'grow'])
    expect(await client.callTool('add', { a: 1, b: 2 })).toMatchObject({ structuredContent: { sum: 3 } })
    expect(textOf(await client.callTool('interview'))).toBe('accept Ada file:///home/ada red')
    const reports: Progress[] = []
    await client.callTool('steps', { to: 3 }, { onProgress: (report) => reports.push(report) })
    expect(reports.map(({ progress }) => progress)).toEqual([1, 2, 3])
    const subscription = await client.listen({ toolsListChanged: true })
    await client.callTool('grow')
    const note = await subscription[Symbol.asyncIterator]().next()
    expect(note.value).toMatchObject({ method: 'notifications/tools/list_changed' })
    expect(log.all).toEqual([{ level: 'warning', logger: 'garden', data: 'it grows' }])
    await client.listTools()
    expect(textOf(await client.callTool('grown'))).toBe('I am new')
    expect((await client.readResource('page:///7')).contents).toMatchObject([{ text: 'page 7' }])
    expect(await client.getPrompt('greet', { who: 'Bo' })).toMatchObject({
      messages: [{ content: { text: 'Greet Bo' } }],
    })
    expect(await failureOf(client.callTool('wait', {}, { timeoutMs: 100 }))).toMatchObject({
      code: 'TIMEOUT',
    })
    expect(await stderr.first((line) => line.includes('cancelled'))).toBe('the wait was cancelled')
  })
})
