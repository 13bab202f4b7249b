import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { json, troupe } from './harness.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-troupe-policy-'))
  await write('.mcp.json', {
    mcpServers: { github: { command: 'none' }, github_old: { command: 'none' } },
    troupe: {
      rules: [
        { tool: 'fs_*', decision: 'allow', under: 'scratch' },
        { tool: 'fs_delete', decision: 'deny', note: 'nothing is deleted here' },
        { tool: 'sh_run', decision: 'allow', command: 'git' },
      ],
      roots: { fs_: '.' },
      grantsFile: 'grants.json',
    },
  })
  await write('grants.json', {
    version: 1,
    grants: [{ tool: 'web_fetch', decision: 'allow', host: 'a.org' }],
  })
})

afterAll(() => rm(folder, { recursive: true }))

describe('troupe policy explain', () => {
  it('names the rule that decides, and those that do not', async () => {
    const { out, exitCode } = await explain('fs_delete', { path: 'scratch/a' })
    expect(exitCode).toBe(0)
    expect(out).toBe(`verdict     deny: nothing is deleted here
fired       deny  fs_delete (nothing is deleted here; means this call)
            allow fs_* under scratch (means this call)
paths       ${folder}/scratch/a
`)
    expect((await explain('fs_write', { path: 'elsewhere/a' })).out).toContain(
      'not fired   allow fs_* under scratch (means others)\n',
    )
  })

  it('suggests the narrowest rule where nothing decides', async () => {
    const { out } = await explain('fs_write', { path: 'elsewhere/a' })
    expect(out).toMatch(/^verdict {5}ask: no rule allows or denies it\n/)
    expect(out).toContain(`suggestion  fs_write under ${folder}/elsewhere\n`)
  })

  it('shows what a shell really runs, and what danger is in it', async () => {
    const { out } = await explain('sh_run', { command: 'sh', args: ['-c', 'git log && rm -rf "$HOME"'] })
    expect(out).toMatch(/^verdict {5}deny: removes the whole disk or home directory\n/)
    expect(out).toMatch(/^runs {8}sh -c .* \(hands over\)\n {12}git log\n {12}rm -rf ‹"\$HOME"›$/m)
    expect(out).toMatch(/^not fired {3}allow sh_run running git \(means others\)$/m)
  })

  it('knows what was granted', async () => {
    const { out } = await explain('web_fetch', { url: 'https://a.org/x' })
    expect(out).toMatch(/^verdict {5}allow: the rules say ask, and a remembered grant decides\n/)
  })

  it('is one document with --json', async () => {
    const { out } = await explain('fs_write', { path: 'scratch/a' }, '--json')
    expect(json(out)).toMatchObject({
      decision: 'allow',
      reason: 'rule',
      rule: { tool: 'fs_*' },
      paths: [join(folder, 'scratch/a')],
      fired: [{ answer: 'yes' }],
      silent: [],
      commands: [],
    })
  })

  it('shows nothing of a call that a terminal would obey', async () => {
    const { out } = await explain('sh_run', { command: 'echo', args: ['\u001b]0;x\u0007'] })
    expect(out).not.toContain('\u001b')
  })

  it.each<[words: string[], message: string]>([
    [['explain', 'fs_write'], "Write: troupe policy explain <tool> '"],
    [['explain', 'fs_write', '{'], 'The arguments are no valid JSON: '],
    [['explain', 'fs_write', '[]'], 'The arguments of a call are one JSON object'],
    [['explian', 'fs_write', '{}'], 'troupe policy cannot "explian". Did you mean explain?'],
    [[], 'What to do comes first. There are: explain, import.'],
    [['import'], 'Write: troupe policy import settings.json'],
    [['import', '--decision', 'maybe', 'Bash'], '--decision takes allow, ask or deny, not "maybe"'],
    [['import', 'gone.json'], 'Cannot read permissions from gone.json: '],
  ])('refuses %j', async (words, message) => {
    const { exitCode, out, err } = await troupe(['policy', ...words], { cwd: folder })
    expect(err).toContain(message)
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
  })

  it('refuses rules that could not be used, by their place', async () => {
    await write('bad.json', { mcpServers: {}, troupe: { rules: [{ tool: 'a*b', decision: 'allow' }] } })
    const { exitCode, err } = await explain('x', {}, '--config', 'bad.json')
    expect(exitCode).toBe(1)
    expect(err).toMatch(/bad\.json: troupe\.rules\.0\.tool: must be a tool's name/)
  })
})

describe('troupe policy import', () => {
  it('writes rules, and tells what is not taken over', async () => {
    await write('settings.json', {
      permissions: {
        allow: ['Bash(git *)', 'mcp__github__create_issue', 'mcp__github__list_*', 'Bash(npm run test)'],
        deny: ['WebFetch(domain:x.org)'],
      },
    })
    const { exitCode, out, err } = await importing('settings.json')
    expect(exitCode).toBe(0)
    expect(json(out)).toEqual({
      rules: [
        { tool: 'sh_run', command: 'git', decision: 'allow' },
        { tool: 'github_create_issue', decision: 'allow' },
        { tool: 'github_list_*', decision: 'allow' },
        { tool: 'web_fetch', host: 'x.org', decision: 'deny' },
      ],
    })
    expect(err).toMatch(/^dropped allow Bash\(npm run test\) is not taken over: it .*\n$/)
    expect(err).toContain('closest: sh_run running npm run test, which is wider')
  })

  it('takes rules as words', async () => {
    const { out } = await importing('Bash(git push:*)', '--decision', 'deny', '--json')
    expect(json(out)).toEqual({
      rules: [{ tool: 'sh_run', command: 'git', args: ['push'], decision: 'deny' }],
      notes: [],
    })
  })

  it('fails only when nothing could be taken over', async () => {
    const { exitCode, out } = await importing('Sing(loud)', '--json')
    expect(exitCode).toBe(1)
    expect(json(out)).toMatchObject({ rules: [], notes: [{ given: 'Sing(loud)', outcome: 'dropped' }] })
  })

  it('makes rules that explain understands', async () => {
    const { out } = await importing('Bash(git *)')
    await write('imported.json', { mcpServers: {}, troupe: json(out) as object })
    const explained = await explain('sh_run', { command: 'git', args: ['log'] }, '--config', 'imported.json')
    expect(explained.out).toMatch(/^verdict {5}allow: the rule sh_run running git\n/)
  })
})

function explain(tool: string, args: object, ...options: string[]) {
  return troupe(['policy', 'explain', tool, JSON.stringify(args), ...options], { cwd: folder })
}

function importing(...words: string[]) {
  return troupe(['policy', 'import', ...words], { cwd: folder })
}

function write(name: string, content: object): Promise<void> {
  return writeFile(join(folder, name), JSON.stringify(content))
}
