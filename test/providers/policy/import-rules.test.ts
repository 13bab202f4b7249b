import { describe, expect, it } from 'vitest'
import { ConfigError, importRules } from '../../../src/index.ts'
import { RuleSet } from '../../../src/providers/policy/rule-set.ts'

const options = {
  servers: ['github', 'git', 'fs'],
  root: '/repo',
  home: '/home/ann',
  readTools: ['fs_read'],
  editTools: ['fs_write'],
}
const allowed = (given: string) => importRules({ allow: [given] }, options)
const denied = (given: string) => importRules({ deny: [given] }, options)

describe('what has an exact counterpart is taken over', () => {
  it.each([
    ['Bash', { tool: 'sh_run' }],
    ['Bash(*)', { tool: 'sh_run' }],
    ['Bash(git *)', { tool: 'sh_run', command: 'git' }],
    ['Bash(git:*)', { tool: 'sh_run', command: 'git' }],
    ['Bash(npm run test:*)', { tool: 'sh_run', command: 'npm', args: ['run', 'test'] }],
    ['Bash(npm run test *)', { tool: 'sh_run', command: 'npm', args: ['run', 'test'] }],
    ['Bash(git*)', { tool: 'sh_run', command: 'git*' }],
    ['mcp__github__create_issue', { tool: 'github_create_issue' }],
    ['mcp__github', { tool: 'github_*' }],
    ['mcp__github__*', { tool: 'github_*' }],
    ['mcp__github__get_*', { tool: 'github_get_*' }],
    ['WebFetch', { tool: 'web_fetch' }],
    ['WebFetch(domain:example.org)', { tool: 'web_fetch', host: 'example.org' }],
    ['WebFetch(domain:*.example.org)', { tool: 'web_fetch', host: '*.example.org' }],
    ['Read', { tool: 'fs_read' }],
    ['Read(src/**)', { tool: 'fs_read', under: '/repo/src' }],
    ['Read(./src/**)', { tool: 'fs_read', under: '/repo/src' }],
    ['Read(/src/lib/)', { tool: 'fs_read', under: '/repo/src/lib' }],
    ['Read(./.env)', { tool: 'fs_read', under: '/repo/.env' }],
    ['Read(**)', { tool: 'fs_read', under: '/repo' }],
    ['Read(/**)', { tool: 'fs_read', under: '/repo' }],
    ['Read(//etc/hosts)', { tool: 'fs_read', under: '/etc/hosts' }],
    ['Read(//**)', { tool: 'fs_read', under: '/' }],
    ['Read(~/notes/**)', { tool: 'fs_read', under: '/home/ann/notes' }],
    ['Edit(docs/**)', { tool: 'fs_write', under: '/repo/docs' }],
    ['Write(docs/**)', { tool: 'fs_write', under: '/repo/docs' }],
  ])('%s', (given, rule) => {
    expect(allowed(given)).toEqual({ rules: [{ ...rule, decision: 'allow' }], notes: [] })
    expect(denied(given)).toEqual({ rules: [{ ...rule, decision: 'deny' }], notes: [] })
  })

  it('in every decision, for every tool that is meant', () => {
    const { rules, notes } = importRules(
      { allow: ['Read(src/**)'], ask: ['Bash(git push *)'], deny: ['Edit'] },
      { readTools: ['a', 'b'], editTools: ['c'], shellTools: ['x', 'y'] },
    )
    expect(notes).toEqual([])
    expect(rules).toEqual([
      { tool: 'a', decision: 'allow', under: 'src' },
      { tool: 'b', decision: 'allow', under: 'src' },
      { tool: 'x', decision: 'ask', command: 'git', args: ['push'] },
      { tool: 'y', decision: 'ask', command: 'git', args: ['push'] },
      { tool: 'c', decision: 'deny' },
    ])
  })
})

describe('what would mean more is not permitted, but offered; a denial means more instead', () => {
  it.each([
    ['Bash(npm run build)', { tool: 'sh_run', command: 'npm', args: ['run', 'build'] }, /and no more/],
    ['Bash(ls)', { tool: 'sh_run', command: 'ls' }, /and no more/],
    ['Bash(npm run test*)', { tool: 'sh_run', command: 'npm', args: ['run'] }, /wildcard within/],
    ['Bash(git * main)', { tool: 'sh_run', command: 'git' }, /wildcard within/],
    ['Bash(git log * main *)', { tool: 'sh_run', command: 'git', args: ['log'] }, /wildcard within/],
    ['Bash(/usr/bin/git *)', { tool: 'sh_run', command: 'git' }, /names a folder/],
    ['Read(src/*.ts)', { tool: 'fs_read', under: '/repo/src' }, /wildcard within/],
    ['Read(~/a/*/b/**)', { tool: 'fs_read', under: '/home/ann/a' }, /wildcard within/],
    ['mcp__unheard', { tool: 'unheard_*' }, /another server/],
  ])('%s', (given, rule, problem) => {
    const { rules, notes } = allowed(given)
    expect(rules).toEqual([])
    expect(notes).toEqual([
      {
        given,
        decision: 'allow',
        outcome: 'dropped',
        problem: expect.stringMatching(problem),
        closest: [{ ...rule, decision: 'allow' }],
      },
    ])
    expect(denied(given)).toEqual({
      rules: [{ ...rule, decision: 'deny' }],
      notes: [{ given, decision: 'deny', outcome: 'wider', problem: expect.stringMatching(problem) }],
    })
  })

  it('of servers whose prefixes begin alike', () => {
    const { rules, notes } = importRules(
      { allow: ['mcp__github'] },
      { servers: ['github', 'github_enterprise'] },
    )
    expect(rules).toEqual([])
    expect(notes[0]?.problem).toBe('would also mean tools of github_enterprise')
    expect(importRules({ allow: ['mcp__github'] }).rules).toEqual([])
    const exact = importRules(
      { allow: ['mcp__github__enterprise_x'] },
      { servers: ['github', 'github_enterprise'] },
    )
    expect(exact.rules).toEqual([])
  })

  it('of a server that is published under another prefix, which may be the name of one more', () => {
    const servers = { github: 'gh', mirror: 'github' }
    expect(importRules({ allow: ['mcp__github', 'mcp__github__push'] }, { servers }).rules).toEqual([
      { tool: 'gh_*', decision: 'allow' },
      { tool: 'gh_push', decision: 'allow' },
    ])
  })

  it('of a tool whose name is too long to be published as it is', () => {
    const tool = 'a_name_that_goes_on_and_on_and_on_and_on_and_on_and_on_until_it_ends'
    const { rules } = importRules({ deny: [`mcp__github__${tool}`] }, options)
    expect(rules[0]?.tool).toMatch(/^github_a_name_.{41}_[0-9a-f]{8}$/)
  })
})

describe('what has no counterpart is dropped and told, whatever it decides', () => {
  it.each([
    'Bash(git status && rm x)',
    'Bash(echo "a b")',
    'Bash(FOO=1 npm test)',
    'Bash(* --help)',
    'Bash(cat $HOME/*)',
    'Bash(find . -name [a-z])',
    'Bash(:*)',
    'Bash(git\u00a0push *)',
    'Bash(git\tpush *)',
    'WebFetch(domain:exa mple)',
    'WebFetch(domain:*)',
    'WebFetch(https://example.org)',
    'Read(.env)',
    'Read(*.env)',
    'Read(secrets/)',
    'Read(**/secrets/**)',
    'Read(./**/x)',
    'Read(../x/**)',
    'Agent(Explore)',
    'WebSearch',
    'mcp__',
    'mcp__a b__c',
    'nonsense(',
    '',
  ])('%j', (given) => {
    for (const decision of ['allow', 'ask', 'deny'] as const) {
      const { rules, notes } = importRules({ [decision]: [given] }, options)
      expect(rules).toEqual([])
      expect(notes).toEqual([{ given, decision, outcome: 'dropped', problem: expect.stringMatching(/./) }])
    }
  })

  it('also what begins at home, when nobody says where that is', () => {
    expect(importRules({ allow: ['Read(~/x/**)'] }).notes[0]?.problem).toMatch(/nobody said where/)
  })
})

describe('an import', () => {
  it.each([
    [undefined, 'permissions: must be an object'],
    [[], 'permissions: must be an object'],
    [{ allow: 'Bash' }, 'permissions.allow: must be an array of strings'],
    [{ deny: [7] }, 'permissions.deny: must be an array of strings'],
  ])('of %j is refused', (permissions, message) => {
    expect(() => importRules(permissions)).toThrow(ConfigError)
    expect(() => importRules(permissions)).toThrow(message)
  })

  it('gives rules that can be used', () => {
    const { rules } = importRules(
      { allow: ['Bash(git *)', 'mcp__fs__read', 'Read(src/**)'], deny: ['WebFetch(domain:*.example.org)'] },
      options,
    )
    const set = new RuleSet(rules)
    expect(set.evaluate('sh_run', { command: 'git', args: ['log'] }).decision).toBe('allow')
    expect(set.evaluate('sh_run', { command: 'sh', args: ['-c', 'git log; ls'] }).decision).toBe('ask')
    expect(set.evaluate('fs_read', { path: '/repo/src/a' }).decision).toBe('allow')
    expect(set.evaluate('web_fetch', { url: 'https://a.example.org/' }).decision).toBe('deny')
  })
})
