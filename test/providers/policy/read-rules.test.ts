import { describe, expect, it } from 'vitest'
import { ConfigError } from '../../../src/errors.ts'
import { readRules } from '../../../src/providers/policy/read-rules.ts'

function complaint(rules: unknown): ConfigError {
  try {
    readRules(rules, { checks: ['known'] })
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
  throw new Error('No complaint')
}

const good = { tool: 'fs_read', decision: 'allow' }

describe('a rule that is not clear is refused by name', () => {
  it.each([
    ['tool', undefined, /is missing/],
    ['tool', '', /must be a tool's name/],
    ['tool', 'fs_*_x', /must be a tool's name/],
    ['tool', '*_read', /must be a tool's name/],
    ['tool', '**', /must be a tool's name/],
    ['tool', 'fs read', /must be a tool's name/],
    ['tool', 'fs_réad', /must be a tool's name/],
    ['tool', 7, /must be a tool's name/],
    ['decision', undefined, /is missing/],
    ['decision', 'permit', /must be allow, ask or deny/],
    ['decision', 'Allow', /must be allow, ask or deny/],
    ['under', '', /must be a directory/],
    ['under', '/srv/../etc', /must be a directory/],
    ['under', '~/work', /must be a directory/],
    ['under', 'C:\\work', /must be a directory/],
    ['under', 5, /must be a directory/],
    ['command', '', /must be a program's name/],
    ['command', '/bin/rm', /must be a bare name/],
    ['command', 'bin\\rm', /must be a bare name/],
    ['command', 'g*t', /must be a program's name/],
    ['command', 'git status', /must be a program's name/],
    ['command', 'git.exe', /without the extension/],
    ['check', 'unheard-of', /names no check of this policy \(known are known\)/],
    ['check', '', /must be the name of a check/],
    ['host', 'https://example.org', /must be a host/],
    ['host', 'example.org:80', /must be a host/],
    ['host', 'example.org/x', /must be a host/],
    ['host', '*', /must be a host/],
    ['host', '*.', /must be a host/],
    ['host', 'docs.*.org', /must be a host/],
    ['host', '*example.org', /must be a host/],
    ['host', 'ann@example.org', /must be a host/],
    ['host', 'exa mple.org', /must be a host/],
    ['host', '127.1', /must be a host/],
    ['note', 5, /must be text/],
    ['severity', 'high', /must be 'danger'/],
    ['because', 'x', /is no member of a rule; known are tool, decision, under/],
    ['__proto__', {}, /is no member of a rule/],
  ])('%s: %j', (member, value, reason) => {
    const rule = JSON.parse(JSON.stringify(good))
    Object.defineProperty(rule, member, { value, enumerable: true, configurable: true })
    const error = complaint([good, rule])
    expect(error.path).toEqual(['rules', '1', member])
    expect(error.message).toMatch(reason)
  })

  it.each([
    ['args', ['a']],
    ['argsAny', ['a']],
  ])('%s without a command, empty, or of other things than text', (member, value) => {
    expect(complaint([{ ...good, [member]: value }]).message).toMatch(/needs a command beside it/)
    for (const bad of [[], 'a', [1], {}]) {
      const error = complaint([{ ...good, command: 'git', [member]: bad }])
      expect(error.path).toEqual(['rules', '0', member])
      expect(error.message).toMatch(/non-empty array of strings/)
    }
  })

  it('and shown, so that it is found among many', () => {
    expect(complaint([{ tool: 'fs_read', decision: 'maybe' }]).message).toContain(
      'the rule is {"tool":"fs_read","decision":"maybe"}',
    )
  })

  it('and what is no rule at all', () => {
    expect(complaint('x').path).toEqual(['rules'])
    expect(complaint([null]).path).toEqual(['rules', '0'])
    expect(complaint([[]]).path).toEqual(['rules', '0'])
  })
})

describe('a good rule', () => {
  it('is taken in as a copy', () => {
    const args = ['push']
    const given = [{ tool: 'sh_*', decision: 'ask', command: 'git', args, note: 'n', severity: 'danger' }]
    const [rule] = readRules(given)
    args.push('--force')
    expect(rule).toEqual({ ...given[0], args: ['push'] })
  })

  it('may spell argsAny the other way, but not both ways', () => {
    const rule = { tool: 'sh_run', decision: 'ask', command: 'git' }
    expect(readRules([{ ...rule, 'args-any': ['-f'] }])).toEqual([{ ...rule, argsAny: ['-f'] }])
    expect(complaint([{ ...rule, 'args-any': ['-f'], argsAny: ['-f'] }]).message).toMatch(/twice/)
  })

  it.each(['*', 'fs_*', 'mcp.tool-1', 'A9'])('may name tools by %s', (tool) => {
    expect(readRules([{ tool, decision: 'deny' }])).toEqual([{ tool, decision: 'deny' }])
  })

  it('survives JSON', () => {
    const rules = [{ tool: 'sh_*', decision: 'ask', command: 'git', argsAny: ['-f'], host: '*.example.org' }]
    expect(readRules(JSON.parse(JSON.stringify(readRules(rules))))).toEqual(rules)
  })
})
