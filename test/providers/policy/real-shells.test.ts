// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a shell expands these
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { RuleSet } from '../../../src/providers/policy/rule-set.ts'
import { payloads } from './shell-payloads.ts'

/** What a shell may find: every one of them notes its name, and is happy a few times. */
const programs = ['git', 'rm', 'ls', 'cat', 'sort', 'find', 'xargs']
const folder = mkdtempSync(join(tmpdir(), 'policy-shells-'))
const logs = mkdtempSync(join(tmpdir(), 'policy-logs-'))
let runs = 0

for (const program of programs) {
  const count = 'n=0; while read -r line; do n=$((n + 1)); done < "$LOG"; [ $n -lt 5 ]'
  writeFileSync(join(folder, program), `#!/bin/sh\necho ${program} >> "$LOG"\n${count}\n`)
  chmodSync(join(folder, program), 0o755)
}
afterAll(() => {
  for (const made of [folder, logs]) rmSync(made, { recursive: true, force: true, maxRetries: 5 })
})

const shells = ['/bin/bash', '/bin/sh']
const rules = new RuleSet([
  { tool: 'sh_run', decision: 'allow', command: 'git' },
  { tool: 'sh_run', decision: 'allow', command: 'echo' },
  { tool: 'sh_run', decision: 'deny', command: 'rm' },
])

/** Which programs a script runs, when a shell really runs it in an empty world of ours. */
function ranBy(shell: string, script: string): readonly string[] {
  runs += 1
  // What a script leaves in the background writes to its own log.
  const log = join(logs, String(runs))
  writeFileSync(log, '')
  const env = { PATH: folder, HOME: folder, LOG: log }
  try {
    execFileSync(shell, ['-c', script], { cwd: folder, env, stdio: 'ignore', timeout: 2_000 })
  } catch {
    // What matters is what it ran on its way.
  }
  return [...new Set(readFileSync(log, 'utf8').split('\n').filter(Boolean))]
}

const verdict = (shell: string, script: string) =>
  rules.evaluate('sh_run', { command: shell, args: ['-c', script] }).decision

describe.each(shells)('what %s really runs of an allowed script is what was allowed', (shell) => {
  it('in every payload of the table', () => {
    const scripts = Object.values(payloads)
      .flat()
      .map(([, payload]) => payload)
    const allowed = scripts.filter((script) => verdict(shell, script) === 'allow')
    expect(allowed.length).toBeGreaterThan(30)
    for (const script of allowed) expect(['git', ''], script).toContain(ranBy(shell, script).join())
  })

  it('in whatever can be put together from the pieces of the grammar', () => {
    let allowed = 0
    fc.assert(
      fc.property(script, (script) => {
        if (verdict(shell, script) !== 'allow') return
        allowed += 1
        expect(['git', ''], script).toContain(ranBy(shell, script).join())
      }),
      { numRuns: 1_000 },
    )
    expect(allowed).toBeGreaterThan(30)
  })

  it('and nothing that is denied gets past a denial', () => {
    let denied = 0
    fc.assert(
      // Functions that call themselves would never end.
      fc.property(
        script.filter((script) => !/\bf\b|function|h\(\)/.test(script)),
        (script) => {
          if (!ranBy(shell, script).includes('rm')) return
          denied += 1
          expect(verdict(shell, script), script).toBe('deny')
        },
      ),
      { numRuns: 150 },
    )
    expect(denied).toBeGreaterThan(5)
  })
})

const program = fc.constantFrom(
  'git',
  'git',
  'git',
  '"git"',
  'g\\it',
  'rm',
  "r''m",
  '$A',
  'command git',
  'exec git',
)
const argument = fc.constantFrom(
  'log',
  'log x',
  'log "a; rm y"',
  "log '$(rm y)'",
  'log #',
  'log \\;',
  'log ~',
  'log $A',
  'log *',
  'log >/dev/null',
  'log 2>&1',
  '',
)

/** Scripts that parse, most of them. */
const { sound } = fc.letrec<{ sound: string }>((tie) => {
  const part = tie('sound')
  const both = fc.tuple(part, part)
  const quoted = part.map((script) => `'${script.replaceAll("'", "'\\''")}'`)
  return {
    sound: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'script' },
      fc.tuple(program, argument).map((words) => words.join(' ')),
      fc
        .tuple(both, fc.constantFrom('; ', ' && ', ' || ', ' | ', '\n', ' & '))
        .map(([[a, b], by]) => a + by + b),
      part.map((script) => `(${script}\n)`),
      part.map((script) => `{ ${script}\n}`),
      part.map((script) => `! ${script}`),
      part.map((script) => `echo "$(${script}\n)"`),
      part.map((script) => `A=$(${script}\n)`),
      both.map(([a, b]) => `if ${a}\nthen ${b}\nfi`),
      both.map(([a, b]) => `for A in x y; do ${a}\n${b}\ndone`),
      part.map((script) => `case x in x) ${script}\n;; esac`),
      quoted.map((script) => `eval ${script}`),
      quoted.map((script) => `/bin/sh -c ${script}`),
      quoted.map((script) => `trap ${script} EXIT`),
      part.map((script) => `/bin/sh <<'E'\n${script}\nE\n`),
      part.map((script) => `echo x <<E\n$(${script}\n)\nE\n`),
      both.map(([a, b]) => `h() { ${a}\n}\n${b}\nh`),
    ),
  }
})

/** And soup. */
const word = fc.constantFrom(
  'git',
  'git',
  'git',
  'rm',
  'ls',
  'echo',
  'x',
  '"git"',
  "'git'",
  'g\\it',
  "'",
  '"',
  '\\',
  '$X',
  '${X}',
  '`',
  '$(',
  '<(',
  ')',
  '(',
  '{',
  '}',
  '*',
  '~',
  '#',
  "$'",
  "\\'",
  '\\"',
  '[[',
  ']]',
  '((',
  '))',
  '!',
  'if',
  'then',
  'fi',
  'while',
  'do',
  'done',
  'case',
  'in',
  'esac',
  'eval',
  'exec',
  'command',
  'time',
  'A=1',
  'A=rm',
  '$A',
  '<<E',
  'E',
  '<<<',
  '>/dev/null',
  '2>&1',
  'f()',
  'function',
  'f',
)
const joint = fc.constantFrom(' ', ' ', ' ', ' ', ';', ' ; ', '&&', ' && ', ' | ', '||', '\n', '', '&')
const soup = fc
  .array(fc.tuple(word, joint), { minLength: 1, maxLength: 9 })
  .map((pieces) => pieces.flat().slice(0, -1).join(''))
const script = fc.oneof({ weight: 2, arbitrary: sound }, { weight: 1, arbitrary: soup })
