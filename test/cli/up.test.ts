import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { Heard } from '../e2e/heard.ts'
import { interruption, json, program, root, spawning, troupe } from './harness.ts'

const secret = 'hush-hush-hush'
const quick = { backoff: { initialMs: 1, jitter: 0 } }
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-troupe-up-'))
})

afterEach(() => rm(folder, { recursive: true }))

describe('troupe up', () => {
  it('runs what is configured, starts again what dies, and drains on ^C with exit code 0', async () => {
    await configure({ modern: fixture('modern'), mortal: await mortal() })
    const { told, all, interrupt } = up()
    await all('up', 'modern', 'mortal')
    process.kill(Number(await readFile(join(folder, 'pid'), 'utf8')), 'SIGKILL')
    expect(await all('backingOff', 'mortal')).toMatchObject([
      { generation: 1, lastError: expect.stringContaining('SIGKILL') },
    ])
    const again = await told.first(({ state, generation }) => state === 'up' && generation === 2)
    expect(again).toMatchObject({ server: 'mortal', restarts: 1, era: 'legacy' })
    expect(await interrupt()).toMatchObject({ exitCode: 0, stderr: '' })
    const config = { event: 'config', file: join(folder, '.mcp.json'), servers: ['modern', 'mortal'] }
    expect([told.all[0], told.all.at(-1)]).toEqual([config, { event: 'stopped' }])
    const last = (name: string) => told.all.findLast(({ server }) => server === name)?.state
    expect([last('modern'), last('mortal')]).toEqual(['stopped', 'stopped'])
  })

  it('does what changes in the file, and nothing else', async () => {
    await configure({ same: fixture('modern'), old: fixture('modern'), changed: fixture('modern') })
    const { told, all, interrupt } = up()
    await all('up', 'same', 'old', 'changed')
    await configure({ same: fixture('modern'), changed: fixture('bare-legacy'), new: fixture('modern') })
    await all('up', 'new')
    await told.first(({ server, era }) => server === 'changed' && era === 'legacy')
    await writeFile(join(folder, '.mcp.json'), '{')
    const warning = await told.first(({ message = '' }) => message.includes('JSON'))
    expect(warning.message).toMatch(/no valid JSON.*what was configured before stays in force$/)
    expect(await interrupt()).toMatchObject({ exitCode: 0 })
    const states = (name: string) =>
      told.all.filter(({ server }) => server === name).map(({ state }) => state)
    expect(states('same')).toEqual(['starting', 'up', 'stopping', 'stopped'])
    expect(states('old')).toEqual(['starting', 'up', 'stopping', 'stopped'])
    expect(states('new').slice(0, 2)).toEqual(['starting', 'up'])
    expect(states('changed').toSorted()).toEqual(
      ['starting', 'up', 'stopping', 'stopped'].flatMap((state) => [state, state]).toSorted(),
    )
  })

  it('kills on a second ^C', async () => {
    const code = 'process.stdin.resume(); setInterval(() => {}, 1e6); console.error("here")'
    await configure({ stubborn: { ...node('-e', code), troupe: { killGraceMs: 1_000_000 } } })
    const { child, told, all } = up('--verbose')
    await told.first(({ line = '' }) => line === 'here')
    child.kill('SIGINT')
    await all('stopping', 'stubborn')
    child.kill('SIGINT')
    expect(await child).toMatchObject({ exitCode: 130 })
  })

  it('ends when nobody reads it any more', async () => {
    await configure({ modern: fixture('modern'), broken: node('-e', '') })
    const { child, all } = up()
    await all('up', 'modern')
    child.stdout.destroy()
    expect(await child).toMatchObject({ exitCode: 0, stderr: '' })
  })

  it('serves the inspector with --inspect', async () => {
    await configure({ modern: fixture('modern') })
    const { told, all, interrupt } = up('--inspect')
    const { url = '' } = await told.first(({ event }) => event === 'inspector')
    expect(await fetch(url)).toMatchObject({ status: 200 })
    await all('up', 'modern')
    expect(await interrupt()).toMatchObject({ exitCode: 0 })
  })

  it('writes plain lines where there is no terminal, and no secret anywhere', async () => {
    const leaky = { ...node('-e', 'console.error("key", process.env.KEY)'), env: { KEY: secret } }
    await configure({ leaky: { ...leaky, troupe: { ...quick, maxRestarts: 0 } } })
    const { exitCode, out, err } = await untilGivenUp({})
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    expect(out).toMatch(/^\S+\.mcp\.json: leaky\nleaky: starting\n/)
    expect(out).toMatch(/\nleaky: given up: .* exited with code 0; its last words: key \*\*\*\n/)
    expect(out).toMatch(/\nall stopped\n$/)
    expect(out).not.toContain(secret)
    expect(out).not.toContain('\u001b')
  })

  it('leaves no half of a secret in the table, wherever that is cut', async () => {
    const leaky = { ...node('-e', 'console.error(process.env.KEY)'), env: { KEY: secret.repeat(20) } }
    await configure({ leaky: { ...leaky, troupe: { ...quick, maxRestarts: 0 } } })
    for (const columns of [60, 100, 140, 180]) {
      const { out } = await untilGivenUp({ terminal: true, columns, env: { NO_COLOR: '1' } })
      expect(out).not.toContain('hush')
    }
  })

  it('draws a table on a terminal, no line of it wider', async () => {
    const name = 'a server with a very long name indeed'
    await configure({ [name]: { ...node('-e', ''), troupe: { maxRestarts: 0 } } })
    const { out } = await untilGivenUp({ terminal: true, columns: 60, env: { NO_COLOR: '1' } })
    expect(out).toContain('\r\u001b[2A\u001b[JSERVER')
    expect(out).toMatch(/\na server with a very lo… +given up +0 +0 +…\n/)
    const table = out.split('\n').filter((line) => /SERVER|very lo…/.test(line))
    for (const line of table) expect(stripVTControlCharacters(line).trim().length).toBeLessThan(60)
  })

  it('says when nothing is configured, or badly', async () => {
    expect(await troupe(['up'], { cwd: folder })).toMatchObject({ exitCode: 1, out: '' })
    expect((await troupe(['up', '--inspect', '70000'], { cwd: folder })).err).toContain(
      'a port from 0 to 65535',
    )
    await configure({ one: { comand: 'x' } })
    const { exitCode, err } = await troupe(['up'], { cwd: folder })
    expect(exitCode).toBe(1)
    expect(err).toMatch(/mcpServers\.one\.comand: is no key here; did you mean command\? .*\.mcp\.json:1:/)
  })
})

interface Told {
  readonly event: string
  readonly server?: string
  readonly state?: string
  readonly era?: string
  readonly generation?: number
  readonly message?: string
  readonly line?: string
  readonly url?: string
}

/** The program itself, in the folder; killed at the end of the test if it still runs. */
function up(...flags: string[]) {
  const argv = ['up', '--json', ...flags, '--config', join(folder, '.mcp.json')]
  const child = execa(process.execPath, program(argv), spawning)
  onTestFinished(() => void child.kill('SIGKILL'))
  const told = new Heard<Told>()
  createInterface({ input: child.stdout }).on('line', (line) => told.hear(json(line) as Told))
  /** Servers are in that state, now or later. */
  const all = (state: string, ...servers: string[]) =>
    Promise.all(servers.map((server) => told.first((one) => one.server === server && one.state === state)))
  const interrupt = () => {
    child.kill('SIGINT')
    return child
  }
  return { child, told, all, interrupt }
}

/** In this process, until the only server was given up. */
async function untilGivenUp(around: Parameters<typeof troupe>[1]) {
  const abort = new AbortController()
  const onWrite = (text: string) => {
    if (text.includes('given up')) abort.abort(interruption())
  }
  return troupe(['up'], { ...around, cwd: folder, interrupt: abort.signal, onWrite })
}

function fixture(name: string, troupe: object = {}): object {
  return { ...node(`${root}test/fixtures/servers/${name}.mjs`), troupe }
}

function node(...args: readonly string[]) {
  return { command: process.execPath, args }
}

/** Leaves its number behind. */
async function mortal(): Promise<object> {
  const script = join(folder, 'mortal.mjs')
  await writeFile(
    script,
    `import { writeFileSync } from 'node:fs'
writeFileSync(${JSON.stringify(join(folder, 'pid'))}, String(process.pid))
await import(${JSON.stringify(`${root}test/fixtures/servers/bare-legacy.mjs`)})`,
  )
  return { ...node(script), troupe: quick }
}

function configure(mcpServers: object): Promise<void> {
  return writeFile(join(folder, '.mcp.json'), JSON.stringify({ mcpServers }))
}
