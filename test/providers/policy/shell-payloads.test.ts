import { describe, expect, it } from 'vitest'
import { RuleSet } from '../../../src/providers/policy/rule-set.ts'
import { payloads } from './shell-payloads.ts'

const rules = new RuleSet([
  { tool: 'sh_run', decision: 'allow', command: 'git' },
  { tool: 'sh_run', decision: 'allow', command: 'echo' },
  { tool: 'sh_run', decision: 'deny', command: 'rm' },
])

const verdict = (args: { readonly [name: string]: string | string[] }) =>
  rules.evaluate('sh_run', args).decision

describe.each(Object.entries(payloads))(
  '%s payloads, where git and echo may run and rm may not',
  (_kind, cases) => {
    it.each(cases)('%s: %j', (expected, payload) => {
      expect(verdict({ command: 'bash', args: ['-c', payload] })).toBe(expected)
    })
  },
)

it('a line in place of a program is read like a payload', () => {
  expect(verdict({ command: 'git status && git log' })).toBe('allow')
  expect(verdict({ command: 'git status; rm x' })).toBe('deny')
  expect(verdict({ command: 'rm -rf /srv/git' })).toBe('deny')
  expect(verdict({ command: 'git status; ls', args: [] })).toBe('ask')
})

it('shells nest to a depth of 8, and no further', () => {
  const nested = (depth: number): string =>
    depth === 0 ? 'git status' : `sh -c ${JSON.stringify(nested(depth - 1)).replaceAll('$', '\\$')}`
  expect(verdict({ command: 'sh', args: ['-c', nested(7)] })).toBe('allow')
  expect(verdict({ command: 'sh', args: ['-c', nested(8)] })).toBe('deny')
})

it('a payload of more commands than anybody reads is not read to its end', () => {
  expect(verdict({ command: 'sh', args: ['-c', 'git log;'.repeat(5000)] })).toBe('deny')
})

it('hundreds of payloads were measured', () => {
  expect(Object.values(payloads).flat().length).toBeGreaterThan(250)
})
