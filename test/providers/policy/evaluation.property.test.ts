// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a shell expands these
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Decision, EvaluationOptions, Rule } from '../../../src/index.ts'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { RuleSet } from '../../../src/providers/policy/rule-set.ts'
import { payloads } from './shell-payloads.ts'

const tools = ['fs_read', 'fs_write', 'sh_run', 'web_fetch'] as const
const strength = { allow: 0, ask: 1, deny: 2 } as const
const checks: EvaluationOptions['checks'] = { yes: () => 'yes', no: () => 'no', unknown: () => 'unknown' }
const options = { roots: { fs: '/srv', sh: '/srv' }, checks }

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

const anyRule: fc.Arbitrary<Rule> = fc
  .record({
    tool: fc.constantFrom(...tools, 'fs_*', 'sh_*', '*'),
    decision: fc.constantFrom<Decision>('allow', 'ask', 'deny'),
    under: maybe(fc.constantFrom('/srv', '/srv/a', 'a', '/', '/etc')),
    command: maybe(fc.constantFrom('git', 'rm', 'echo', 'g*', '*')),
    args: maybe(fc.constantFrom(['status'], ['push', 'x'])),
    argsAny: maybe(fc.constantFrom(['-f'], ['x', '--force'])),
    check: maybe(fc.constantFrom('yes', 'no', 'unknown')),
    host: maybe(fc.constantFrom('a.example', '*.example')),
    severity: maybe(fc.constant('danger')),
  })
  .map(({ args, argsAny, ...rule }) => {
    const narrower = rule.command === undefined ? {} : { args, argsAny }
    const given = Object.entries({ ...rule, ...narrower }).filter(([, value]) => value !== undefined)
    return Object.fromEntries(given) as unknown as Rule
  })

const anyRules = fc.array(anyRule, { maxLength: 8 })
const scripts = Object.values(payloads)
  .flat()
  .map(([, payload]) => payload)
  .filter((payload) => payload.length < 200)

const anyCall: fc.Arbitrary<readonly [string, JsonObject]> = fc.tuple(
  fc.constantFrom(...tools),
  fc.oneof(
    fc.record({ path: fc.constantFrom('a', '/srv/a/b', '../x', '/etc/passwd', 7, '') }),
    fc.record({ from: fc.constantFrom('a', '/etc'), to: fc.constantFrom('a/b', '~') }),
    fc.record({ url: fc.constantFrom('https://a.example/', 'https://x@a.example/', 'x') }),
    fc.record({
      command: fc.constantFrom('git', 'rm', '/bin/rm'),
      args: fc.constantFrom([], ['status'], ['x', '-f']),
    }),
    fc.record({ command: fc.constant('sh'), args: fc.tuple(fc.constant('-c'), fc.constantFrom(...scripts)) }),
    fc.constant({}),
  ),
)

const evaluated = (rules: readonly Rule[], [tool, args]: readonly [string, JsonObject]) =>
  new RuleSet(rules, options).evaluate(tool, args)

describe('whatever the rules and the call', () => {
  it('the order of the rules means nothing', () => {
    fc.assert(
      fc.property(anyRules, anyCall, fc.infiniteStream(fc.nat()), (rules, call, keys) => {
        const shuffled = rules
          .map((rule) => ({ rule, key: keys.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ rule }) => rule)
        expect(evaluated(shuffled, call)).toEqual(evaluated(rules, call))
      }),
    )
  })

  it('one more denial never lets more through, and one more permission never less', () => {
    fc.assert(
      fc.property(anyRules, anyRule, anyCall, (rules, rule, call) => {
        const before = strength[evaluated(rules, call).decision]
        const denied = strength[evaluated([...rules, { ...rule, decision: 'deny' }], call).decision]
        const allowed = strength[evaluated([...rules, { ...rule, decision: 'allow' }], call).decision]
        expect(denied).toBeGreaterThanOrEqual(before)
        expect(allowed).toBeLessThanOrEqual(before)
      }),
    )
  })

  it('narrowing a permission never lets more through', () => {
    fc.assert(
      fc.property(
        anyRule,
        anyCall,
        fc.constantFrom('under', 'command', 'check', 'host'),
        (rule, call, member) => {
          const {
            [member]: _,
            args: _args,
            argsAny: _argsAny,
            ...wider
          } = { ...rule, decision: 'allow' as const }
          // A directory says nothing of what commands do, unless a command says it too.
          fc.pre(!(rule.under !== undefined && (member === 'command' || member === 'check')))
          if (evaluated([{ ...rule, decision: 'allow' }], call).decision !== 'allow') return
          expect(evaluated([wider as Rule], call).decision).toBe('allow')
        },
      ),
    )
  })

  it('the same call gets the same answer from a set that has answered others', () => {
    fc.assert(
      fc.property(anyRules, fc.array(anyCall, { maxLength: 5 }), (rules, calls) => {
        const set = new RuleSet(rules, options)
        for (const [tool, args] of calls)
          expect(set.evaluate(tool, args)).toEqual(evaluated(rules, [tool, args]))
      }),
    )
  })

  it('the suggestion covers the call where it names a place or a host', () => {
    fc.assert(
      fc.property(anyCall, (call) => {
        const { suggestion } = evaluated([], call)
        if (suggestion.under === undefined && suggestion.host === undefined) return
        expect(evaluated([{ ...suggestion, decision: 'allow' }], call).decision).toBe('allow')
      }),
    )
  })
})

describe('what cannot be read is never allowed', () => {
  const permissive = fc.array(
    anyRule.map((rule): Rule => ({ ...rule, decision: 'allow' })),
    { maxLength: 8 },
  )

  it('be it arguments that are no object', () => {
    fc.assert(
      fc.property(permissive, fc.constantFrom(...tools), (rules, tool) => {
        expect(new RuleSet(rules, options).evaluate(tool, undefined).decision).not.toBe('allow')
      }),
    )
  })

  it('a location, by a permission for a directory', () => {
    const unreadable = fc.oneof(
      fc.tuple(fc.string(), fc.string()).map(([a, b]) => `${a}/../${b}`),
      fc.string().map((text) => `~${text}`),
      fc.tuple(fc.string(), fc.constantFrom('\\', '\0'), fc.string()).map((parts) => parts.join('')),
      fc.constantFrom(7, null, true, [], {}, ''),
    )
    fc.assert(
      fc.property(permissive, unreadable, fc.constantFrom('path', 'from', 'to'), (rules, place, param) => {
        const narrowed = rules.map((rule): Rule => ({ ...rule, under: rule.under ?? '/' }))
        const args = { path: '/srv/a', [param]: place, command: 'git', url: 'https://a.example/' }
        for (const tool of tools)
          expect(new RuleSet(narrowed, options).evaluate(tool, args).decision).not.toBe('allow')
      }),
    )
  })

  it('a program, by a permission for a program', () => {
    const unreadable = fc.constantFrom('$X', '`x`', '"$X"', '$(x)', '/bin/*', '{a,b}', '~/x', "$'x'", 'a$X')
    const before = fc.constantFrom('', 'git log; ', 'env ', 'timeout 5 ', 'if git log; then ', 'git log | ')
    fc.assert(
      fc.property(before, unreadable, fc.constantFrom('git', 'g*', '*'), (before, program, command) => {
        const script = `${before}${program} x${before.startsWith('if') ? '; fi' : ''}`
        const rules: Rule[] = [{ tool: 'sh_run', decision: 'allow', command }]
        expect(evaluated(rules, ['sh_run', { command: 'bash', args: ['-c', script] }]).decision).toBe('ask')
      }),
    )
  })

  it('an argument, by a permission for arguments', () => {
    const unreadable = fc.constantFrom('$X', '"$X"', '$(git log)', '*', '{a,b}', '~')
    fc.assert(
      fc.property(unreadable, fc.array(fc.constantFrom('status', '-f')), (word, more) => {
        const script = `git ${[word, ...more].join(' ')}`
        const rules: Rule[] = [
          { tool: 'sh_run', decision: 'allow', command: 'git', args: ['status'] },
          { tool: 'sh_run', decision: 'allow', command: 'git', argsAny: ['-f'] },
        ]
        expect(evaluated(rules, ['sh_run', { command: 'bash', args: ['-c', script] }]).decision).toBe('ask')
      }),
    )
  })

  it('a script that is any text at all, unless it runs what is permitted', () => {
    const rules = new RuleSet([{ tool: 'sh_run', decision: 'allow', command: 'git' }])
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (script) => {
        const { decision } = rules.evaluate('sh_run', { command: 'bash', args: ['-c', script] })
        expect(decision === 'allow' && !script.includes('git')).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })
})
