// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a shell expands these
import { describe, expect, it } from 'vitest'
import { dangerFloor, floorChecks } from '../../../src/index.ts'
import { RuleSet } from '../../../src/providers/policy/rule-set.ts'

const options = { home: '/home/ann', configDir: '/home/ann/.agent' }
const rules = new RuleSet(
  [
    { tool: '*', decision: 'allow', under: '/w' },
    { tool: 'sh_run', decision: 'allow', command: 'git' },
    { tool: 'sh_run', decision: 'deny', command: 'rm' },
    { tool: 'web_fetch', decision: 'allow', host: '*.example' },
    ...dangerFloor(options),
  ],
  { checks: floorChecks(options) },
)

const many = 20_000
const pieces = [
  '/',
  '~/',
  '../',
  '*',
  '$(',
  '`',
  '"',
  "'",
  '\\',
  '{a,',
  '((',
  '[[ ',
  '<<E\n',
  '${x:-',
  '@(',
  'if a; then ',
  'env ',
]
const programs = ['rm', 'tee', 'find', 'sed', 'env']

/** A run of one thing, and an end that fits nothing. */
const runs = pieces.flatMap((piece) => [
  piece.repeat(many),
  `~${piece.repeat(many)}x`,
  `/w/${piece.repeat(many)}x`,
])

describe('arguments made to take for ever are judged all the same, and never allowed', () => {
  it('as words of a command', () => {
    for (const program of programs) {
      for (const run of runs) {
        const args = ['-rf', run, `--x=${run}`]
        expect(rules.evaluate('sh_run', { command: program, args }).decision).toMatch(/allow|ask|deny/)
      }
      const args = Array.from({ length: many }, (_, index) => (index % 2 ? 'x' : '-exec'))
      expect(rules.evaluate('sh_run', { command: program, args }).decision).toMatch(/allow|ask|deny/)
    }
  })

  it('as scripts, also short enough to be read', () => {
    for (const piece of pieces) {
      for (const script of [
        piece.repeat(many),
        piece.repeat(Math.floor(60_000 / piece.length)),
        piece.repeat(300),
      ])
        expect(rules.evaluate('sh_run', { command: 'bash', args: ['-c', script] }).decision).not.toBe('allow')
    }
  })

  it('as lines, locations and URLs', () => {
    for (const run of runs) {
      expect(rules.evaluate('sh_run', { command: run }).decision).not.toBe('allow')
      expect(rules.evaluate('fs_read', { path: run }).decision).toMatch(/allow|ask/)
      expect(rules.evaluate('web_fetch', { url: `https://${run}` }).decision).toBe('ask')
    }
  })
})
