import { describe, expect, it } from 'vitest'
import type { Check } from '../../../src/providers/policy/evaluation-options.ts'
import type { Rule } from '../../../src/providers/policy/rule.ts'
import { evaluate, RuleSet } from '../../../src/providers/policy/rule-set.ts'

const decide = (rules: readonly Rule[], tool: string, args = {}, options = {}) =>
  evaluate(rules, tool, args, options).decision

describe('the strongest rule decides', () => {
  const allow: Rule = { tool: '*', decision: 'allow' }
  const ask: Rule = { tool: 'fs_*', decision: 'ask' }
  const deny: Rule = { tool: 'fs_write', decision: 'deny' }

  it('deny before ask before allow, in whatever order', () => {
    for (const rules of [
      [allow, ask, deny],
      [deny, ask, allow],
      [ask, deny, allow],
    ]) {
      expect(decide(rules, 'fs_write')).toBe('deny')
      expect(decide(rules, 'fs_read')).toBe('ask')
      expect(decide(rules, 'web_fetch')).toBe('allow')
    }
  })

  it('and without any the call is asked about', () => {
    expect(evaluate([], 'fs_read', {})).toEqual({
      decision: 'ask',
      reason: 'no-match',
      paths: [],
      suggestion: { tool: 'fs_read' },
    })
    expect(decide([{ tool: 'fs_read', decision: 'allow' }], 'fs_reader')).toBe('ask')
    expect(decide([{ tool: 'fs_read*', decision: 'allow' }], 'fs_reader')).toBe('allow')
    expect(decide([{ tool: 'FS_READ', decision: 'allow' }], 'fs_read')).toBe('ask')
  })

  it('and is named, the dangerous one first, whatever the order', () => {
    const plain: Rule = { tool: 'x', decision: 'ask', note: 'plain' }
    const danger: Rule = { tool: 'x', decision: 'ask', note: 'zeal', severity: 'danger' }
    expect(evaluate([plain, danger], 'x', {}).rule).toEqual(danger)
    expect(evaluate([danger, plain], 'x', {}).rule).toEqual(danger)
    expect(evaluate([allow, deny], 'fs_write', {})).toMatchObject({ reason: 'rule', rule: deny })
  })

  it('also when the dangerous one is only unsure', () => {
    const plain: Rule = { tool: 'x', decision: 'ask' }
    const danger: Rule = { tool: 'x', decision: 'ask', severity: 'danger', host: 'a.example' }
    expect(evaluate([plain, danger], 'x', {}).rule).toEqual(danger)
  })
})

describe('the predicates of a rule', () => {
  it('must all hold', () => {
    const rules: Rule[] = [{ tool: 'x', decision: 'allow', under: '/w', host: 'a.example' }]
    expect(decide(rules, 'x', { path: '/w/a', url: 'https://a.example/' })).toBe('allow')
    expect(decide(rules, 'x', { path: '/e/a', url: 'https://a.example/' })).toBe('ask')
    expect(decide(rules, 'x', { path: '/w/a', url: 'https://b.example/' })).toBe('ask')
    expect(decide(rules, 'x', { path: '/w/a' })).toBe('ask')
  })

  it('that are unsure let a deny and an ask fire, but not where another says no', () => {
    const rules: Rule[] = [
      { tool: '*', decision: 'allow' },
      { tool: 'x', decision: 'deny', under: '/w', host: 'a.example' },
    ]
    expect(decide(rules, 'x', { path: '../a', url: 'https://a.example/' })).toBe('deny')
    expect(decide(rules, 'x', { path: '../a', url: 'https://b.example/' })).toBe('allow')
  })

  it('cannot be asked of arguments that are no object: nothing is allowed, and what narrows is unsure', () => {
    const rules = new RuleSet([
      { tool: '*', decision: 'allow' },
      { tool: 'x', decision: 'deny', under: '/w' },
      { tool: 'y', decision: 'deny', command: 'rm' },
      { tool: 'z', decision: 'deny', host: 'a.example' },
    ])
    expect(['x', 'y', 'z'].map((tool) => rules.evaluate(tool, undefined).decision)).toEqual([
      'deny',
      'deny',
      'deny',
    ])
    expect(rules.evaluate('w', undefined)).toMatchObject({ decision: 'ask', reason: 'unevaluable-path' })
    for (const text of ['{', '[]', 'null', '"x"'])
      expect(evaluate(rules.rules, 'w', text).reason).toBe('unevaluable-path')
    expect(evaluate(rules.rules, 'w', '{"path":"/w/a"}').decision).toBe('allow')
    expect(evaluate(rules.rules, 'w', '').decision).toBe('allow')
  })
})

describe('a command', () => {
  const run = (command: string, ...args: unknown[]) => ({ command, args })
  const ruled = (rule: Omit<Rule, 'tool' | 'decision'>, args: object, decision: Rule['decision'] = 'allow') =>
    decide([{ tool: 'sh_run', decision, ...rule }], 'sh_run', args)

  it.each([
    ['git', run('git', 'status'), 'allow'],
    ['git', run('/usr/bin/git'), 'allow'],
    ['git', run('C:\\Program Files\\Git\\bin\\git.exe', 'status'), 'allow'],
    ['git', run('bin\\git.EXE', 'status'), 'allow'],
    ['git', run('git.cmd'), 'allow'],
    ['git', run('GIT'), 'ask'],
    ['git', run('gitk'), 'ask'],
    ['git', run('git-evil'), 'ask'],
    ['git*', run('gitk'), 'allow'],
    ['*', run('anything'), 'allow'],
    ['git', run('git.exe.exe'), 'ask'],
    ['git', run(''), 'ask'],
    ['git', { args: ['status'] }, 'ask'],
    ['git', { command: 7 }, 'ask'],
    ['git', { command: ['git'] }, 'ask'],
  ])('%s, given %j: %s', (command, args, expected) => {
    expect(ruled({ command }, args)).toBe(expected)
  })

  it.each([
    [['push'], run('git', 'push', 'x'), 'allow'],
    [['push', 'x'], run('git', 'push'), 'ask'],
    [['push'], run('git'), 'ask'],
    [['push'], run('git', 'Push'), 'ask'],
    [['push'], run('git', 'pull', 'push'), 'ask'],
    [['push'], run('git', 7, 'push'), 'ask'],
    [['push'], { command: 'git', args: 'push' }, 'ask'],
    [['push'], run('sh', '-c', 'git push $X'), 'ask'],
    [['push', 'x'], run('sh', '-c', 'git push $X x'), 'ask'],
  ])('whose arguments begin with %j, given %j: %s', (args, given, expected) => {
    expect(ruled({ command: 'git', args }, given)).toBe(expected)
  })

  it('whose arguments cannot be read is unsure of a prefix that reaches that far', () => {
    expect(ruled({ command: 'echo', args: ['a'] }, run('sh', '-c', 'echo a $X'))).toBe('allow')
    expect(ruled({ command: 'echo', args: ['a', 'b'] }, run('sh', '-c', 'echo a $X'), 'deny')).toBe('deny')
    expect(ruled({ command: 'echo', args: ['b', 'b'] }, run('sh', '-c', 'echo a $X'), 'deny')).toBe('ask')
  })

  it('has one of the arguments anywhere, or may have one behind what cannot be read', () => {
    const rule = { command: 'echo', argsAny: ['-n', '-e'] }
    expect(ruled(rule, run('echo', 'a', '-e'))).toBe('allow')
    expect(ruled(rule, run('echo', 'a', '-E'))).toBe('ask')
    expect(ruled(rule, run('sh', '-c', 'echo -n $X'))).toBe('allow')
    expect(ruled(rule, run('sh', '-c', 'echo $X'), 'deny')).toBe('deny')
    expect(ruled(rule, run('sh', '-c', 'echo a'), 'deny')).toBe('ask')
  })

  it('is not permitted to write where no directory covers it', () => {
    const write = (target: string) => run('sh', '-c', `echo x > ${target}`)
    expect(ruled({ command: 'echo' }, write('/w/a'))).toBe('ask')
    expect(ruled({ command: 'echo', under: '/w' }, write('/w/a'))).toBe('allow')
    expect(ruled({ command: 'echo', under: '/w' }, write('/e/a'))).toBe('ask')
    expect(ruled({ command: 'echo', under: '/w' }, write('/w/a 2> /e/b'))).toBe('ask')
    expect(ruled({ command: 'echo', under: '/w' }, write('$W'))).toBe('ask')
    expect(ruled({ command: 'echo' }, write('/dev/null 2>&1'))).toBe('allow')
    expect(ruled({ command: 'echo', under: '/w' }, run('echo', 'x'))).toBe('ask')
    expect(ruled({ under: '/w' }, write('/w/a'), 'deny')).toBe('deny')
  })

  it('is not covered by a directory alone', () => {
    expect(ruled({ under: '/w' }, run('sh', '-c', 'rm -rf / > /w/log'))).toBe('ask')
    expect(ruled({ under: '/w' }, { ...run('rm', '-rf', '/'), path: '/w' })).toBe('ask')
  })

  it('writes relative to the root, unless it moves around or starts elsewhere', () => {
    const rules = new RuleSet([{ tool: 'sh_run', decision: 'allow', command: '*', under: '/w' }], {
      roots: { sh: '/w' },
    })
    const decision = (script: string, more = {}) =>
      rules.evaluate('sh_run', { ...run('sh', '-c', script), ...more }).decision
    expect(decision('echo x > a')).toBe('allow')
    expect(decision('cd /etc; echo x > a')).toBe('ask')
    expect(decision('echo x > a', { cwd: '/etc' })).toBe('ask')
  })

  it('may come from other arguments, or from none', () => {
    const rules: Rule[] = [{ tool: '*', decision: 'allow', command: 'git' }]
    const commandParams = { 'run_*': ['program', 'argv'], edit: [] }
    expect(decide(rules, 'run_it', { program: 'git', argv: ['log'] }, { commandParams })).toBe('allow')
    expect(decide(rules, 'run_it', { command: 'git' }, { commandParams })).toBe('ask')
    const under: Rule[] = [{ tool: '*', decision: 'allow', under: '/w' }]
    expect(decide(under, 'edit', { command: 'view', path: '/w/a' }, { commandParams })).toBe('allow')
  })

  it('that a shell or a wrapper runs is denied with the shell or the wrapper', () => {
    expect(ruled({ command: 'bash' }, run('bash', '-c', 'git log'), 'deny')).toBe('deny')
    expect(ruled({ command: 'timeout' }, run('timeout', '5', 'git', 'log'), 'deny')).toBe('deny')
    expect(ruled({ command: 'bash' }, run('bash', '-c', 'git log'))).toBe('ask')
    expect(ruled({ command: 'bash' }, run('bash', 'script.sh'))).toBe('allow')
    expect(ruled({ command: 'sudo' }, run('sudo', 'ls'))).toBe('allow')
  })
})

describe('a check', () => {
  const rules: Rule[] = [{ tool: 'sh_run', decision: 'deny', command: 'cp', check: 'risky' }]
  const decided = (risky: Check, command = 'cp') =>
    decide(rules, 'sh_run', { command, args: ['a'] }, { checks: { risky } })

  it('is asked about every command that the rule is about', () => {
    expect(decided(({ args }) => (args[0] === 'a' ? 'yes' : 'no'))).toBe('deny')
    expect(decided(() => 'no')).toBe('ask')
    expect(decided(() => 'unknown')).toBe('deny')
    expect(decided(() => 'yes', 'mv')).toBe('ask')
  })

  it('that throws is unsure', () => {
    const fails = () => {
      throw new Error('no idea')
    }
    expect(decided(fails)).toBe('deny')
    const allow: Rule[] = [{ tool: 'sh_run', decision: 'allow', check: 'fails' }]
    expect(decide(allow, 'sh_run', { command: 'ls' }, { checks: { fails } })).toBe('ask')
  })

  it('must be there when the rules are loaded', () => {
    expect(() => new RuleSet(rules)).toThrow(/rules\.0\.check: names no check of this policy \(it has none\)/)
  })
})

describe('a suggestion is the narrowest rule that would cover the call', () => {
  const suggestion = (tool: string, args: object, root?: string) =>
    evaluate([], tool, args as never, root ? { roots: { '': root } } : {}).suggestion

  it.each([
    [{ path: 'scratch/notes.md' }, { under: '/srv/scratch' }],
    [{ path: '/srv/a/b/c' }, { under: '/srv/a/b' }],
    [{ from: 'a/b/c', to: 'a/d/e' }, { under: '/srv/a' }],
    [{ from: 'a/b/c', to: 'a/b/d' }, { under: '/srv/a/b' }],
    [{ from: 'a/b', to: 'a/b/c' }, { under: '/srv/a' }],
    [{ path: 'a' }, { under: '/srv' }],
    [{ path: '/srv' }, { under: '/srv' }],
    [{ from: '/srv', to: '/srv/a' }, { under: '/srv' }],
    [{ path: '/etc/x/y' }, { under: '/etc/x' }],
    [{ path: '/x' }, { under: '/x' }],
    [{ path: '../a' }, {}],
    [{ from: 'a', to: 7 }, {}],
    [{}, {}],
  ])('below a root, for %j: %j', (args, narrower) => {
    expect(suggestion('fs_x', args, '/srv')).toEqual({ tool: 'fs_x', ...narrower })
  })

  it('may be as wide as the disk where no root is known, and relative where the call is', () => {
    expect(suggestion('fs_x', { from: '/a/x', to: '/b/x' })).toEqual({ tool: 'fs_x', under: '/' })
    expect(suggestion('fs_x', { path: 'a/b' })).toEqual({ tool: 'fs_x', under: 'a' })
    expect(suggestion('fs_x', { path: 'a' })).toEqual({ tool: 'fs_x', under: '.' })
    expect(suggestion('fs_x', { from: 'a', to: '/b' })).toEqual({ tool: 'fs_x' })
  })

  it('is a host for a call with a url and no location', () => {
    expect(suggestion('web', { url: 'https://docs.example.org/x' })).toEqual({
      tool: 'web',
      host: 'docs.example.org',
    })
    expect(suggestion('web', { url: 'https://a@b/' })).toEqual({ tool: 'web' })
    expect(suggestion('web', { url: 'https://a.example/', path: '/w/a' })).toEqual({
      tool: 'web',
      under: '/w',
    })
  })

  it('names the one program of a call that writes, since a directory would not cover it', () => {
    const script = (text: string) => ({ command: 'sh', args: ['-c', text] })
    expect(suggestion('sh', script('echo x > /w/a'))).toEqual({ tool: 'sh', command: 'echo', under: '/w' })
    expect(suggestion('sh', script('echo x > /w/a; ls'))).toEqual({ tool: 'sh' })
    expect(suggestion('sh', { command: 'ls' })).toEqual({ tool: 'sh' })
  })

  it('does cover it', () => {
    for (const args of [
      { path: 'a/b' },
      { from: 'a', to: '/b/c' },
      { url: 'https://a.example/' },
      { command: 'sh', args: ['-c', 'echo > /srv/x/y'] },
    ]) {
      const options = { roots: { '': '/srv' } }
      const rule: Rule = { ...evaluate([], 'x', args, options).suggestion, decision: 'allow' }
      expect(evaluate([rule], 'x', args, options).decision).toBe('allow')
    }
  })
})
