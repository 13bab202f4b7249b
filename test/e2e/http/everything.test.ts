import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listening } from '../../transports/http/harness.ts'
import { pathOf, textOf } from '../harness.ts'
import { Heard } from '../heard.ts'
import { connect } from './harness.ts'
import { type Line, openLine } from './line.ts'

const program = pathOf('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const colour = { role: 'assistant', content: { type: 'text', text: 'red' }, model: 'none' } as const
const home = { roots: [{ uri: 'file:///home/ada', name: 'home' }] } as const

describe.each([
  ['streamableHttp', '/mcp', 'given'],
  ['sse', '/sse', 'older'],
])('the server that has everything, as %s', (mode, path, wire) => {
  let child: ChildProcess
  let line: Line

  beforeAll(async () => {
    const port = await freePort()
    const env = { ...process.env, PORT: String(port) }
    child = spawn(process.execPath, [program, mode], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    const stderr = createInterface({ input: child.stderr ?? expect.fail('no stderr') })
    for await (const text of stderr) if (text.includes(`port ${port}`)) break
    child.stderr?.resume()
    line = await openLine(port)
  })
  afterAll(async () => {
    line.close()
    child.kill('SIGKILL')
    await once(child, 'close')
  })

  it('is a legacy one, whose lists, calls, resources and prompts all come', async () => {
    const { client, warnings } = connect(line, { url: line.url(path) })
    expect([await client.era(), await client.protocolVersion()]).toEqual(['legacy', '2025-11-25'])
    expect(client.state.context.wire).toBe(wire)
    expect(await client.serverInfo()).toMatchObject({ name: 'mcp-servers/everything' })
    expect((await client.listTools()).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['echo', 'get-sum']),
    )
    expect(textOf(await client.callTool('echo', { message: 'hé' }))).toContain('hé')
    const { structuredContent } = await client.callTool('get-structured-content', { location: 'Chicago' })
    expect(structuredContent).toMatchObject({ temperature: 36 })
    const [resource] = await client.listResources()
    expect((await client.readResource(resource?.uri ?? '')).contents).toHaveLength(1)
    expect((await client.getPrompt('simple-prompt')).messages.length).toBeGreaterThan(0)
    expect([await client.ping(), await client.setLogLevel('error')]).toEqual([true, true])
    expect(warnings.all).toEqual([])
  })

  it('may ask for input, a sample and the roots', async () => {
    const { client } = connect(line, {
      url: line.url(path),
      onElicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
      onSample: () => colour,
      onListRoots: () => home,
    })
    const notes = new Heard<string>()
    client.on('notification', ({ method }) => notes.hear(method))
    await client.era()
    // Its tools depend on the handshake; on this wire a call may come before the end of that.
    if (mode === 'sse') await notes.first((method) => method === 'notifications/tools/list_changed')
    const calls = [
      client.callTool('trigger-elicitation-request'),
      client.callTool('trigger-sampling-request', { prompt: 'A colour?', maxTokens: 5 }),
      client.callTool('get-roots-list'),
    ]
    const answers = (await Promise.all(calls)).map(({ content }) => JSON.stringify(content))
    expect(answers).toEqual([
      expect.stringContaining('Ada'),
      expect.stringContaining('red'),
      expect.stringContaining('file:///home/ada'),
    ])
  })

  it('reports progress', async () => {
    const { client } = connect(line, { url: line.url(path) })
    const heard: unknown[] = []
    const onProgress = (report: unknown) => heard.push(report)
    const args = { duration: 0.05, steps: 5 }
    await client.callTool('trigger-long-running-operation', args, { onProgress })
    expect(heard).toEqual([1, 2, 3, 4, 5].map((progress) => ({ progress, total: 5 })))
  })
})

/** The program takes no other. */
async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listening(server)
  server.close()
  await once(server, 'close')
  return port
}
