import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { json, root, troupe } from './harness.ts'

let folder = ''
const server = (name: string) => ({
  command: process.execPath,
  args: [`${root}test/fixtures/servers/${name}.mjs`],
})
const files = {
  command: process.execPath,
  args: [`${root}node_modules/@modelcontextprotocol/server-filesystem/dist/index.js`, '.'],
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-troupe-rules-'))
  await configure('.mcp.json', {
    rules: [
      { tool: 'fs_*', decision: 'allow', under: 'open' },
      { tool: 'fs_create_directory', decision: 'deny', under: 'shut', note: 'nothing is made in there' },
      { tool: 'm_count', decision: 'ask', note: 'it takes a while' },
    ],
    roots: { fs_: '.' },
    grantsFile: 'grants.json',
  })
  await writeFile(
    join(folder, 'grants.json'),
    JSON.stringify({
      version: 1,
      grants: [
        { tool: 'm_echo', decision: 'allow' },
        { tool: 'm_fail', decision: 'deny' },
      ],
    }),
  )
})

afterAll(() => rm(folder, { recursive: true }))

describe('a call of a configured server', () => {
  it('is made where a rule allows it, or a grant', async () => {
    expect(await make('open')).toMatchObject({ exitCode: 0 })
    expect(await readdir(folder)).toContain('open')
    expect(await call('m', 'echo', 'text=hi')).toMatchObject({ exitCode: 0, out: 'hi\n' })
  })

  it('is not made where a rule denies it, and says which', async () => {
    const { exitCode, out, err } = await make('shut/a')
    expect({ exitCode, out }).toEqual({ exitCode: 6, out: '' })
    expect(err).toBe(
      `error: fs_create_directory was not called: the rules of ${folder}/.mcp.json refuse it: nothing is made in there\n`,
    )
    expect(await readdir(folder)).not.toContain('shut')
  })

  it('is not made where somebody refused it for good', async () => {
    const { exitCode, err } = await call('m', 'fail')
    expect(exitCode).toBe(6)
    expect(err).toContain(`m_fail was not called: you refused such calls for good; ${folder}/grants.json`)
  })

  it('is not made where somebody has to be asked, and says how to allow it', async () => {
    const { exitCode, err } = await make('elsewhere/a')
    expect(exitCode).toBe(6)
    expect(err).toBe(`error: fs_create_directory was not called: no rule allows it, and nobody was asked.
--ask puts it to you; a rule among those of ${folder}/.mcp.json allows it for good: {"tool":"fs_create_directory","under":"${folder}/elsewhere","decision":"allow"}
`)
    expect((await call('m', 'count', 'to=1')).err).toContain(
      'm_count was not called: a rule says to ask first (it takes a while), and nobody was asked.\n--ask puts it to you.',
    )
    expect((await call('fs', 'write_file', 'path=open/../a', 'content=')).err).toContain(
      'where it leads cannot be judged',
    )
    expect(await readdir(folder)).not.toContain('elsewhere')
  })

  it('tells a program', async () => {
    const { err } = await call('m', 'fail', '--json')
    expect(json(err)).toEqual({
      error: {
        name: 'CallRefusedError',
        code: 'CALL_REFUSED',
        tool: 'm_fail',
        message: expect.stringContaining('m_fail was not called'),
      },
    })
  })
})

describe('a configuration without rules', () => {
  it('allows what a person types, down to the danger floor', async () => {
    await configure('bare.json', {})
    expect(await make('bare', '--config', 'bare.json')).toMatchObject({ exitCode: 0 })
    const dangerous = ['call', 'sh', 'run', '{"command":"rm","args":["-rf","/"]}']
    const refused = await troupe([...dangerous, '--config', 'bare.json'], { cwd: folder })
    expect(refused.exitCode).toBe(6)
    expect(refused.err).toContain(': removes the whole disk or home directory\n')
    await configure('floorless.json', { floor: false })
    const { out } = await troupe([...dangerous, '--config', 'floorless.json'], { cwd: folder })
    expect(out).toContain('would have run rm -rf /')
  })
})

describe('rules that cannot be used', () => {
  it.each<[troupe: object, message: string]>([
    [{ rules: [{ tool: 'a*b', decision: 'allow' }] }, 'bad.json: troupe.rules.0.tool: must be'],
    [{ rules: [{ tool: 'a', decision: 'deny', check: 'mine' }] }, 'names no check of this policy'],
    [{ roots: { fs_: 'a\\b' } }, 'roots.fs_: must be a directory'],
    [{ grantsFile: 'bad.json' }, 'has version undefined'],
  ])('%j are refused before a server is started', async (settings, message) => {
    await configure('bad.json', settings)
    const asked = await troupe(['call', 'gone', 'echo', '--config', 'bad.json'], { cwd: folder })
    expect(asked.err).toContain(message)
    const raised = await troupe(['up', '--config', 'bad.json'], {
      cwd: folder,
      interrupt: AbortSignal.abort(),
    })
    expect([asked.exitCode, raised.exitCode]).not.toContain(0)
  })
})

function call(...words: string[]) {
  return troupe(['call', ...words], { cwd: folder })
}

function make(path: string, ...options: string[]) {
  return call('fs', 'create_directory', `path=${path}`, ...options)
}

function configure(name: string, troupe: object): Promise<void> {
  const gone = { command: 'no-such-program' }
  const mcpServers = { fs: files, m: server('modern'), sh: server('pretend-shell'), gone }
  return writeFile(join(folder, name), JSON.stringify({ mcpServers, troupe }))
}
