import { describe, expect, it } from 'vitest'
import { RuleSet } from '../../../src/providers/policy/rule-set.ts'

/** Where /srv/data may be written, but for what is secret in it. */
const rules = new RuleSet(
  [
    { tool: 'fs_*', decision: 'allow', under: '/srv/data' },
    { tool: 'fs_*', decision: 'deny', under: '/srv/data/secret' },
  ],
  { roots: { fs: '/srv/data' } },
)

const inside = [
  'a',
  'a/b/c.txt',
  './a',
  'a/./b',
  'a//b',
  'a/',
  '.',
  '/srv/data',
  '/srv/data/',
  '/srv/data/a',
  '//srv//data//a',
  '/srv/./data/a',
  '/srv/data/a b',
  '/srv/data/...a',
  '/srv/data/..a',
  '/srv/data/a..',
  '/srv/data/.git',
  '/srv/data/ä',
  '/srv/data/secrets',
  '/srv/data/not/secret',
  '/srv/data/a~',
  '/srv/data/$HOME',
  '/srv/data/100%',
  '/srv/data/a"b',
  '/srv/data/a b/c',
  '/srv/data/\u{1f468}\u200d\u{1f469}',
  '/srv/data/a~b',
]

const outside = [
  '/',
  '/srv',
  '/srv/data2',
  '/srv/dataspace/a',
  '/srv/wor',
  '/etc/passwd',
  '/srv/other/data/a',
  '/repo/a',
  '/srv/data.bak/a',
  '/a/srv/data',
  '/srv/dat',
  '/srv/d\u00e1ta/a',
  '/SRV2/data/a',
  '/proc/self/root/srv/data',
  '/srv /data',
]

const secret = ['secret', 'secret/key', '/srv/data/secret', '/srv/data/secret/', '/srv//data/./secret/key']

/** Never allowed, and denied where anything is. */
const uncertain: readonly unknown[] = [
  '..',
  '../a',
  'a/..',
  'a/../../etc',
  'a/../secret',
  '/srv/data/..',
  '/srv/data/../../etc/passwd',
  '/srv/data/a/..',
  '/srv/data/. ./a/../b',
  '/srv/data/a\u0000.txt',
  '/srv/data\\a',
  '..\\a',
  'C:\\a',
  'C:/a',
  'c:a',
  '\\\\server\\share',
  '~',
  '~/a',
  '~root/a',
  '~/../etc',
  'file:///etc/passwd',
  'FILE:///etc/passwd',
  'http://example.org/a',
  '/srv/data/%2e%2e/%2e%2e/etc',
  '/srv/data/%2E%2E/a',
  '/srv/data/..%2fa',
  '/srv/data/%5c..%5ca',
  '/srv/data/\uff0e\uff0e/a',
  '/srv/data/\u2025/a',
  '/srv/data/a\uff0fb',
  '/srv/data/.. /a',
  '/srv/data/.../a',
  '',
  7,
  null,
  true,
  ['/srv/data/a'],
  { path: '/srv/data/a' },
  '/srv/data/SECRET/key',
  '/srv/data/Secret',
  '/srv/data/\u017fecret/key',
  '/srv/data/secre\u0074\u200d/key',
  '/srv/data/\uff53ecret',
  '/srv/data/s\u00adecret',
  ' /etc/passwd',
  '/srv/data/a ',
  '\t/etc/passwd',
  '\ufeff/etc/passwd',
  '\u00a0../a',
  ' ../a',
  '"/etc/passwd"',
  "'/etc/passwd'",
  '`/etc/passwd`',
  '/srv/data/a\n/etc/passwd',
  '/srv/data/a\r',
  '/srv/data/\u001b[2Ka',
  '/srv/data/a%00.txt',
  '/srv/data/%252e%252e/etc',
  '/srv/data/%c0%ae%c0%ae/etc',
  '/srv/data/SECRET~1/key',
  'secre~1',
  '/srv/data/.\u200b./a',
  '\\\\?\\C:\\a',
  'file:/etc/passwd',
  'vscode-remote://host/etc/passwd',
  '/srv/data/\u2024\u2024/a',
]

const decision = (path: unknown) => rules.evaluate('fs_write', { path }).decision

describe('a location is measured segment by segment', () => {
  it.each(inside)('inside: %s', (path) => expect(decision(path)).toBe('allow'))
  it.each(outside)('outside: %s', (path) => expect(decision(path)).toBe('ask'))
  it.each(secret)('in what is denied within: %s', (path) => expect(decision(path)).toBe('deny'))
  it.each(uncertain)('uncertain: %j', (path) => expect(decision(path)).toBe('deny'))

  it('of which more than sixty were measured', () => {
    expect([...inside, ...outside, ...secret, ...uncertain].length).toBeGreaterThan(60)
  })
})

describe('the locations of a call', () => {
  const allow = new RuleSet([{ tool: '*', decision: 'allow', under: '/w' }], {
    pathParams: { 'git_*': ['repo'], git_blame: ['file'], sql_query: [] },
  })
  const deny = new RuleSet([{ tool: '*', decision: 'deny', under: '/w' }], {
    pathParams: { 'git_*': ['repo'], sql_query: [] },
  })

  it('are path, from and to, and every one of them counts', () => {
    expect(allow.evaluate('move', { from: '/w/a', to: '/w/b' }).decision).toBe('allow')
    expect(allow.evaluate('move', { from: '/w/a', to: '/etc/b' }).decision).toBe('ask')
    expect(allow.evaluate('move', { from: '/etc/a', to: '/w/b' }).decision).toBe('ask')
    expect(deny.evaluate('move', { from: '/etc/a', to: '/w/b' }).decision).toBe('deny')
    expect(deny.evaluate('move', { from: '/etc/a', to: '/etc/b' }).decision).toBe('ask')
  })

  it('may be others, by the longest pattern that matches the tool', () => {
    expect(allow.evaluate('git_log', { repo: '/w/a', path: '/etc' }).decision).toBe('allow')
    expect(allow.evaluate('git_log', { repo: '/etc', path: '/w' }).decision).toBe('ask')
    expect(allow.evaluate('git_blame', { repo: '/etc', file: '/w/a' }).decision).toBe('allow')
  })

  it('are needed by an allow, and their lack is uncertain to a deny', () => {
    expect(allow.evaluate('list', {}).decision).toBe('ask')
    expect(allow.evaluate('sql_query', { path: '/w/a' }).decision).toBe('ask')
    expect(deny.evaluate('list', {}).decision).toBe('deny')
  })

  it('are none at all where a tool is known to take none', () => {
    expect(deny.evaluate('sql_query', { path: '/w/a' }).decision).toBe('ask')
  })

  it('never include a url', () => {
    expect(allow.evaluate('fetch', { url: '/w/a' }).decision).toBe('ask')
    expect(allow.evaluate('fetch', { url: 'https://example.org/w' }).paths).toEqual([])
  })

  it('do not come from a prototype', () => {
    expect(allow.evaluate('read', Object.create({ path: '/w/a' })).decision).toBe('ask')
  })
})

describe('a root', () => {
  const rule = { tool: '*', decision: 'allow', under: 'data' } as const

  it('is what relative locations and relative rules are relative to, the longest prefix first', () => {
    const rules = new RuleSet([rule], { roots: { fs: '/srv', fs_x: '/opt', '': '/any' } })
    expect(rules.evaluate('fs_read', { path: '/srv/data/a' }).decision).toBe('allow')
    expect(rules.evaluate('fs_read', { path: 'data/a' }).paths).toEqual(['/srv/data/a'])
    expect(rules.evaluate('fs_x', { path: '/opt/data/a' }).decision).toBe('allow')
    expect(rules.evaluate('fs_x', { path: '/srv/data/a' }).decision).toBe('ask')
    expect(rules.evaluate('other', { path: '/any/data' }).decision).toBe('allow')
  })

  it('is needed to compare what is absolute with what is not', () => {
    const rules = new RuleSet([rule, { tool: '*', decision: 'deny', under: '/srv' }])
    expect(rules.evaluate('fs_read', { path: 'data/a' })).toMatchObject({
      decision: 'deny',
      reason: 'unevaluable-path',
    })
    const relative = new RuleSet([rule])
    expect(relative.evaluate('fs_read', { path: 'data/a' }).decision).toBe('allow')
    expect(relative.evaluate('fs_read', { path: 'other/a' }).reason).toBe('no-match')
    expect(relative.evaluate('fs_read', { path: '/repo/a' }).reason).toBe('unevaluable-path')
  })

  it('must itself be a place', () => {
    expect(() => new RuleSet([], { roots: { fs: '../x' } })).toThrow('roots.fs: must be a directory')
    expect(() => new RuleSet([], { pathParams: { fs: ['a', 1] } as never })).toThrow('pathParams.fs')
    expect(() => new RuleSet([], { commandParams: { fs: ['a', 'b', 'c'] } })).toThrow('commandParams.fs')
    expect(() => new RuleSet([], { checks: { x: true } as never })).toThrow('checks.x: must be a function')
  })
})
