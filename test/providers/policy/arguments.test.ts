import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Policy, type Rule } from '../../../src/index.ts'
import { RuleSet } from '../../../src/providers/policy/rule-set.ts'
import { root } from '../../cli/harness.ts'
import { connect } from '../../e2e/harness.ts'
import { call, RecordingProvider } from './recording-provider.ts'

const allow: readonly Rule[] = [
  { tool: 'fs_*', decision: 'allow', under: '/w' },
  { tool: 'sh_*', decision: 'allow', command: 'git' },
  { tool: 'web_*', decision: 'allow', host: 'a.example' },
]
const deny: readonly Rule[] = [
  { tool: '*', decision: 'allow' },
  { tool: 'fs_*', decision: 'deny', under: '/etc' },
  { tool: 'sh_*', decision: 'deny', command: 'rm' },
  { tool: 'web_*', decision: 'deny', host: 'b.example' },
]
const decided = (rules: readonly Rule[], tool: string, args: object) =>
  new RuleSet(rules).evaluate(tool, args as never).decision

describe('an argument beside one that differs in case alone is not certain to be what the tool reads', () => {
  it.each([
    ['fs_read', { path: '/w/a', Path: '/etc/passwd' }],
    ['fs_read', { path: '/w/a', PATH: '/etc/passwd' }],
    ['fs_move', { from: '/w/a', To: '/etc/passwd' }],
    ['fs_move', { FROM: '/etc/passwd', to: '/w/a' }],
    ['sh_run', { command: 'git', Command: 'rm' }],
    ['web_get', { url: 'https://a.example/', URL: 'https://b.example/' }],
  ])('%s %j', (tool, args) => {
    expect(decided(allow, tool, args)).toBe('ask')
    expect(decided(deny, tool, args)).not.toBe('allow')
  })

  it('be it words of a command', () => {
    const pushes: Rule[] = [{ tool: 'sh_*', decision: 'allow', command: 'git', args: ['log'] }]
    for (const name of ['Args', 'ARGS', 'arg\u017f'])
      expect(decided(pushes, 'sh_run', { command: 'git', args: ['log'], [name]: ['push'] })).toBe('ask')
  })

  it('but others are nobody’s concern', () => {
    expect(decided(allow, 'fs_read', { path: '/w/a', Paths: 1, pat: 2 })).toBe('allow')
    expect(decided(allow, 'sh_run', { command: 'git', args: ['log'], timeout: 5 })).toBe('allow')
  })
})

describe('arguments beside a command may change what it runs', () => {
  it.each([
    { env: { PATH: '/tmp/evil' } },
    { env: { GIT_SSH_COMMAND: 'rm x' } },
    { env: ['LD_PRELOAD=/tmp/evil.so'] },
    { env: 'PATH=/tmp/evil' },
    { environment: { BASH_ENV: '/tmp/evil' } },
    { env_vars: { XDG_CONFIG_HOME: '/tmp/evil' } },
    { extraEnv: { NODE_OPTIONS: '--require=/tmp/evil' } },
    { shell: true },
    { shell: 'powershell' },
    { use_shell: 1 },
  ])('%j', (more) => {
    expect(decided(allow, 'sh_run', { command: 'git', args: ['log'], ...more })).toBe('ask')
  })

  it.each([{ env: { NODE_ENV: 'test' } }, { env: ['CI=1'] }, { shell: false }, { env: null }])(
    '%j does not',
    (more) => {
      expect(decided(allow, 'sh_run', { command: 'git', args: ['log'], ...more })).toBe('allow')
    },
  )

  it('unless a shell reads a line as it is read here', () => {
    expect(decided(allow, 'sh_run', { command: 'git log', shell: true })).toBe('allow')
    expect(decided(allow, 'sh_run', { command: 'git log', shell: '/bin/bash' })).toBe('allow')
    expect(decided(allow, 'sh_run', { command: 'git log', shell: 'fish' })).toBe('ask')
  })
})

describe('the JSON of a call', () => {
  it('with a member that becomes a prototype is no arguments that can be judged', () => {
    const args = JSON.parse('{"from":"/w/a","__proto__":{"to":"/etc/passwd"}}')
    expect(decided(allow, 'fs_move', args)).toBe('ask')
    expect(decided(deny, 'fs_move', args)).toBe('deny')
  })

  it('that names an argument twice is judged by the one that goes down', async () => {
    const provider = new RecordingProvider()
    const policy = new Policy({ provider, rules: allow })
    const twice = (first: string, second: string) =>
      policy.executeToolCalls([call('fs_read', `{"path":"${first}","path":"${second}"}`)])
    expect((await twice('/w/a', '/etc/passwd'))[0]?.is_error).toBe(true)
    expect((await twice('/etc/passwd', '/w/a'))[0]?.is_error).toBe(false)
  })
})

describe('a call by a pattern in place of a name', () => {
  it.each(['fs_*', '*', 'fs_*_x'])('%s is not made, nor asked about', async (name) => {
    const policy = new Policy({
      provider: new RecordingProvider(),
      rules: [{ tool: '*', decision: 'allow' }],
      onAsk: () => ({ action: 'always-allow' }),
    })
    const [result] = await policy.executeToolCalls([call(name)])
    expect(result?.content).toMatch(/no tool has a name with \* in it/)
    expect(policy.grants).toEqual([])
  })
})

describe('an argument that its tool never declared covers nothing', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'policy-decoys-')))
    await mkdir(join(folder, 'open'))
    await mkdir(join(folder, 'shut'))
    await writeFile(join(folder, 'shut', 'secret'), 'hush')
  })
  afterAll(() => rm(folder, { recursive: true }))

  const guarded = async (rules: readonly Rule[]) => {
    const program = `${root}node_modules/@modelcontextprotocol/server-filesystem/dist/index.js`
    const { client } = connect({ command: process.execPath, args: [program, folder] })
    const policy = new Policy({ provider: client, rules })
    await policy.toolsForLlm()
    return policy
  }

  it('of a move, by a permission for a directory', async () => {
    const policy = await guarded([{ tool: '*', decision: 'allow', under: join(folder, 'open') }])
    const source = join(folder, 'shut', 'secret')
    const move = { source, destination: join(folder, 'open', 'secret') }
    const results = await policy.executeToolCalls([
      call('move_file', move),
      call('move_file', { ...move, path: join(folder, 'open') }),
      call('read_multiple_files', { paths: [source], path: join(folder, 'open') }),
      call('list_directory', { path: join(folder, 'open') }),
    ])
    expect(results.map(({ is_error }) => is_error)).toEqual([true, true, true, false])
    expect(await readdir(join(folder, 'open'))).toEqual([])
  })

  it('past a denial for one', async () => {
    const rules: Rule[] = [
      { tool: '*', decision: 'allow' },
      { tool: '*', decision: 'deny', under: join(folder, 'shut') },
    ]
    const policy = await guarded(rules)
    const paths = [join(folder, 'shut', 'secret')]
    const [result] = await policy.executeToolCalls([
      call('read_multiple_files', { paths, path: join(folder, 'open') }),
    ])
    expect(result?.content).not.toContain('hush')
    expect(result?.is_error).toBe(true)
  })
})
