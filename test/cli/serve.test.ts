import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { McpClient } from '../../src/index.ts'
import { temporaryFolder } from '../config/harness.ts'
import { connect, pathOf, textOf } from '../e2e/harness.ts'
import { Heard } from '../e2e/heard.ts'
import { stamp } from '../server/dispatch/harness.ts'
import { interruption, program, root, spawning, spawnTroupe, troupe } from './harness.ts'

const toolkit = (name: string) => pathOf(`../fixtures/toolkits/${name}`)
const weather = `${toolkit('weather.mjs')}={"apiKey": "x"}`
const who = { name: 'tester', version: '1' }

describe('a wrong command line', () => {
  it.each<[argv: string[], message: string]>([
    [[], 'What should be served? --tool names a toolkit, --config a file that describes a server.'],
    [['FileSystem'], 'troupe serve takes no arguments; too much: FileSystem'],
    [
      ['--tool', 'no-such-pack'],
      '--tool no-such-pack: is not built in, and there is no package no-such-pack',
    ],
    [['--tool', '={}'], '--tool takes a toolkit\'s name, or NAME={"key": "value"}, not "={}"'],
    [['--tool', `${toolkit('weather.mjs')}={"apiKey": 1}`], 'apiKey: must be a string'],
    [['--tool', weather, '--tool', weather], 'weather_forecast is registered already'],
    [['--tool', weather, '--host', '::1'], '--host means something only over HTTP: give --http <port> too'],
    [
      ['--tool', weather, '--http-path', 'a', '--allow-origin', 'https://a.example', '--legacy'],
      '--http-path and --allow-origin and --legacy mean something only over HTTP',
    ],
    [['--tool', weather, '--allow-host', 'a.example'], '--allow-host means something only over HTTP'],
    [['--tool', weather, '--http', '70000'], '--http takes a port from 0 to 65535, not "70000"'],
    [['--tool', weather, '--http', '0', '--http-path', 'a?b'], 'path: must be a path, without query'],
    [
      ['--tool', weather, '--http', '0', '--allow-origin', '*'],
      '--allow-origin must be an origin as browsers send it, e.g. https://app.example.com, not "*"',
    ],
    [['--tool', weather, '--htpp', '1'], "unknown option '--htpp'"],
    [['--config', 'none.json'], 'none.json: cannot be read as the configuration of a server'],
    [['--tool', weather, '--name', ''], 'name: must be a non-empty string'],
  ])('%j is refused with what to do', async (argv, message) => {
    const { exitCode, out, err } = await troupe(['serve', ...argv])
    expect(err).toContain(message)
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
  })

  it('is refused before anything is served, also by a process', async () => {
    const { exitCode, stdout, stderr } = await spawnTroupe(['serve', '--tool', 'FileSystm'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain('error: --tool FileSystm: is not built in')
  })
})

const command = process.execPath
const argsOf = (...argv: string[]) => program(['serve', ...argv])
const identity = ['--name', 'sky', '--version', '3.2.1', '--instructions', 'Look up.']

describe('on stdin and stdout', () => {
  it.each(['modern', 'legacy'] as const)('serves our client in the %s era', async (era) => {
    const args = argsOf('--tool', weather, '--tool', toolkit('calculator.ts'), ...identity)
    const { client, stderr } = connect({ command, args, era, cwd: root, probeTimeoutMs: 60_000 })
    expect(await client.serverInfo()).toMatchObject({ name: 'sky', version: '3.2.1' })
    expect(await client.instructions()).toBe('Look up.')
    expect(textOf(await client.callTool('weather_forecast', { city: 'Rome' }))).toBe('Sunny in Rome (metric)')
    expect(textOf(await client.callTool('add', { a: 1, b: 2 }))).toBe('3.00')
    expect(await stderr.first((line) => line.startsWith('serving'))).toBe(
      'serving on stdin and stdout: 7 tools, 2 prompts, 2 resources, 2 resource templates',
    )
  })

  it('serves the official clients', async () => {
    const args = argsOf('--tool', weather)
    const modern = new ModernClient(who, { versionNegotiation: { mode: 'auto' } } as never)
    await modern.connect(new ModernTransport({ command, args, cwd: root, stderr: 'ignore' }))
    onTestFinished(() => modern.close())
    const legacy = new LegacyClient(who)
    await legacy.connect(new LegacyTransport({ command, args, cwd: root, stderr: 'ignore' }))
    onTestFinished(() => legacy.close())
    for (const client of [modern, legacy])
      expect(await client.callTool({ name: 'weather_forecast', arguments: { city: 'Rome' } })).toMatchObject({
        content: [{ text: 'Sunny in Rome (metric)' }],
      })
  })

  it('keeps stdout for the protocol: what toolkits print goes to stderr', async () => {
    const args = argsOf('--tool', toolkit('noisy.mjs'))
    const { client, stderr, warnings } = connect({ command, args, cwd: root, probeTimeoutMs: 60_000 })
    expect(textOf(await client.callTool('shout', { text: 'hey' }))).toBe('HEY')
    await stderr.first((line) => line === 'noise: hey again')
    expect(stderr.all.filter((line) => line.startsWith('noise'))).toEqual(
      ['loaded', 'made', 'registered', 'hey', 'hey again'].map((what) => `noise: ${what}`),
    )
    expect(warnings.all).toEqual([])
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('answers what is under way at %s, and ends', async (signal) => {
    const running = execa(command, argsOf('--tool', toolkit('slow.mjs')), { ...spawning, stdin: 'pipe' })
    const stderr = new Heard<string>()
    createInterface(running.stderr).on('line', stderr.hear)
    const params = { name: 'work', arguments: {}, _meta: stamp() }
    running.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`)
    await stderr.first((line) => line === 'working')
    running.kill(signal)
    const { exitCode, stdout } = await running
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { content: [{ text: 'told to stop' }] } })
  })

  it('ends with its client, even if a toolkit would go on', async () => {
    // stdin is at its end from the start.
    expect(await spawnTroupe(['serve', '--tool', toolkit('clinging.mjs')])).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: 'serving on stdin and stdout: 1 tool',
    })
  })
})

describe('over HTTP', () => {
  /** Runs until the test ends; its URL. */
  async function urlOf(argv: readonly string[]): Promise<string> {
    const running = spawnTroupe(['serve', ...argv])
    onTestFinished(async () => {
      running.kill('SIGINT')
      expect(await running).toMatchObject({ exitCode: 0, stdout: '' })
    })
    const lines = new Heard<string>()
    createInterface(running.stderr).on('line', lines.hear)
    const line = await lines.first((text) => text.startsWith('serving at'))
    return /^serving at (\S+): \d+ tools?/.exec(line)?.[1] ?? expect.fail(line)
  }

  it('serves clients of both eras, and ends in good order', async () => {
    const url = await urlOf(['--tool', weather, '--http', '0', '--http-path', '/api/mcp/', '--legacy'])
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/mcp$/)
    for (const era of ['modern', 'legacy'] as const) {
      await using client = McpClient.connectHttp({ url, hosting: 'inline', era })
      expect(textOf(await client.callTool('weather_forecast', { city: 'Oslo' }))).toContain('Oslo')
    }
    const client = new ModernClient(who, { versionNegotiation: { mode: 'auto' } } as never)
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    expect((await client.listTools()).tools).toHaveLength(2)
    await client.close()
  })

  it('takes the command line before the file, and the origins of both', async () => {
    await using folder = await temporaryFolder()
    const config = {
      name: 'filed',
      tools: { [toolkit('weather.mjs')]: { apiKey: 'x' } },
      http: { port: 1, path: 'filed', allowedOrigins: ['https://file.example'] },
    }
    await writeFile(join(folder.path, 'server.json'), JSON.stringify(config))
    const url = await urlOf([
      ...['--config', join(folder.path, 'server.json'), '--tool', toolkit('clinging.mjs')],
      ...['--http', '0', '--allow-origin', 'https://flag.example', '--name', 'flagged'],
    ])
    expect(new URL(url).pathname).toBe('/filed')
    const statuses = ['file', 'flag', 'other'].map(async (name) => {
      const headers = { origin: `https://${name}.example`, 'content-type': 'application/json' }
      const { status } = await fetch(url, { method: 'POST', headers, body: '{}' })
      return status === 403
    })
    expect(await Promise.all(statuses)).toEqual([false, false, true])
    await using client = McpClient.connectHttp({ url, hosting: 'inline' })
    expect(await client.serverInfo()).toMatchObject({ name: 'flagged' })
    expect((await client.listTools()).map(({ name }) => name)).toContain('hold')
  })

  it.each([
    ['0.0.0.0', true],
    ['localhost', false],
  ])('warns when anybody may come: at %s %s', async (host, warns) => {
    const { exitCode, err, out } = await troupe(['serve', '--tool', weather, '--http', '0', '--host', host], {
      interrupt: AbortSignal.abort(interruption()),
    })
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: '' })
    expect(err.includes('warning: whoever reaches this address can call every tool')).toBe(warns)
  })

  it('says when the port is taken', async () => {
    const url = await urlOf(['--tool', weather, '--http', '0'])
    const { exitCode, err } = await troupe(['serve', '--tool', weather, '--http', new URL(url).port])
    expect(exitCode).toBe(1)
    expect(err).toContain('port: cannot listen on 127.0.0.1:')
  })
})
