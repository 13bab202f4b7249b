import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { json, root, troupe } from './harness.ts'

const fixtures = `${root}test/fixtures/servers`
const secret = 'hush-hush-hush'
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-troupe-named-'))
  await configure('.mcp.json', {
    modern: { command: process.execPath, args: [`${fixtures}/modern.mjs`], troupe: { era: 'modern' } },
    fs: {
      command: process.execPath,
      args: [`${root}node_modules/@modelcontextprotocol/server-filesystem/dist/index.js`, '.'],
    },
    leaky: {
      command: process.execPath,
      args: ['-e', 'console.error("key", process.env.KEY)'],
      env: { KEY: secret },
    },
    off: { command: 'nothing', disabled: true },
  })
  await writeFile(join(folder, 'notes.txt'), 'hello')
})

afterAll(() => rm(folder, { recursive: true }))

describe('a server by its name', () => {
  it('is that of the project', async () => {
    const listed = await troupe(['tools', 'modern', '--json'], { cwd: folder })
    expect(listed).toMatchObject({ exitCode: 0, err: '' })
    expect(json(listed.out)).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'echo' })]),
    })
  })

  it('stands before what belongs to the command', async () => {
    const around = { cwd: folder }
    expect((await troupe(['call', 'modern', 'echo', 'text=hi'], around)).out).toBe('hi\n')
    expect((await troupe(['tools', 'modern', 'echo'], around)).out).toMatch(/^echo\(text: string/)
    expect((await troupe(['probe', 'modern'], around)).out).toMatch(/verdict +modern/)
  })

  it('runs in the folder of its file', async () => {
    const read = await troupe(['call', 'fs', 'read_text_file', 'path=notes.txt'], { cwd: folder })
    expect(read).toMatchObject({ exitCode: 0, out: 'hello\n' })
  })

  it('is that of another file with --config', async () => {
    await configure('other.json', { mine: { command: process.execPath, args: [`${fixtures}/echo.mjs`] } })
    const { out } = await troupe(['call', 'mine', 'echo', 'text=hi', '--config', 'other.json'], {
      cwd: folder,
    })
    expect(out).toBe('hi\n')
  })

  it('may be on a URL, and is given its headers and more', async () => {
    const headers: unknown[] = []
    const server = createServer((request, response) => {
      headers.push([request.headers['x-a'], request.headers['x-b']])
      response.writeHead(401).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    await configure('web.json', { web: { url: `http://127.0.0.1:\${PORT}/mcp`, headers: { 'X-A': 'a' } } })
    const argv = ['tools', 'web', '--config', 'web.json', '--header', 'X-B: b']
    expect(await troupe(argv, { cwd: folder, env: { PORT: `${port}` } })).toMatchObject({ exitCode: 3 })
    expect(headers).toEqual([['a', 'b']])
    server.close()
  })

  it('keeps its secrets, whatever it says itself', async () => {
    const gone = await troupe(['tools', 'leaky', '--verbose'], { cwd: folder })
    expect(gone.exitCode).toBe(2)
    expect(gone.err).toContain('key ***')
    expect(gone.err).not.toContain(secret)
    const asJson = await troupe(['tools', 'leaky', '--json'], { cwd: folder })
    expect(json(asJson.err)).toMatchObject({ error: { code: 'SERVER_GONE', stderrTail: ['key ***'] } })
  })
})

describe('a name is refused', () => {
  it.each<[argv: string[], message: string]>([
    [['tools', 'modren'], 'There is no server "modren" in '],
    [
      ['tools', 'modren'],
      '. Did you mean modern?\nThe command line of one that is not configured goes after --',
    ],
    [['tools', 'off'], 'The server off is disabled in '],
    [['tools'], '.mcp.json has: modern, fs, leaky'],
    [
      ['call', 'modern'],
      "missing required argument 'tool'\nUsage: troupe call [options] <server by name> <tool> [args...]",
    ],
    [['probe', 'modern', 'more'], 'troupe probe takes no arguments; too much: more'],
    [['tools', 'modern', '--header', 'A: b'], '--header belongs to --url'],
    [['tools', 'modern', '--config', 'gone.json'], 'gone.json: cannot be read as the configuration'],
    [['tools', '--config', '.mcp.json', '--', 'x'], '--config is for a server by its name'],
  ])('%j', async (argv, message) => {
    const { exitCode, err, out } = await troupe(argv, { cwd: folder })
    expect(err).toContain(message)
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
  })

  it('when its variable is not set', async () => {
    await configure('unset.json', { one: { command: `\${GONE}` } })
    const { exitCode, err } = await troupe(['tools', 'one', '--config', 'unset.json'], { cwd: folder })
    expect(exitCode).toBe(1)
    expect(err).toMatch(
      /mcpServers\.one\.command: needs the variable GONE, which is not set; .*unset\.json:1:/,
    )
  })
})

async function configure(name: string, mcpServers: object): Promise<void> {
  await writeFile(join(folder, name), JSON.stringify({ mcpServers }))
}
