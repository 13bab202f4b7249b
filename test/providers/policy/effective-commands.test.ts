// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a shell expands these
import { describe, expect, it } from 'vitest'
import type { Word } from '../../../src/providers/policy/commands/effective-command.ts'
import { effectiveCommands } from '../../../src/providers/policy/commands/effective-commands.ts'
import { readScript } from '../../../src/providers/policy/commands/read-script.ts'
import { ScriptCache } from '../../../src/providers/policy/commands/script-cache.ts'

const shown = (word: Word) => (typeof word === 'string' ? word : `<${word.source}>`)

/** What runs, one line a command. */
const runs = (program: unknown, args?: unknown) =>
  effectiveCommands(program, args)
    .filter(({ role }) => role === 'run')
    .map(({ program, args }) => [program, ...args].map(shown).join(' '))

describe('what a call runs', () => {
  it.each([
    ['git', ['status'], ['git status']],
    ['env', ['A=1', 'timeout', '5', 'git', 'log'], ['git log']],
    ['env', [], ['env']],
    ['command', ['-v', 'git'], ['command -v git']],
    ['sh', ['-c', 'a; b | c'], ['a', 'b', 'c']],
    ['sh', ['-lc', 'a'], ['a']],
    ['sh', ['-cecho'], ['echo']],
    ['sh', ['-cecho', 'rm x'], ['echo', 'rm x']],
    ['sh', ['-ce', 'rm x'], ['rm x']],
    ['sh', ['-c', 'a $(b) <(c) `d`'], ['a <$(b)> <<(c)> <`d`>', 'b', 'c', 'd']],
    ['sh', ['-c', 'sh <<E\na; b\nE'], ['a', 'b']],
    ['sh', ['-c', "sh <<-'E'\n\ta $X\nE"], ['a <$X>']],
    ['sh', ['-c', 'eval a "b; c"'], ['a b', 'c']],
    ['bash', ['-c', 'exec 3>&1; a'], ['exec', 'a']],
    ['sh', ['script.sh', '-c', 'a'], ['sh script.sh -c a']],
    ['sudo', ['a'], ['sudo a']],
    ['if', ['a'], ['a']],
    ['!', ['a'], ['a']],
  ])('%s %j: %j', (program, args, expected) => expect(runs(program, args)).toEqual(expected))

  it('is never nothing', () => {
    for (const [program, args] of [
      [undefined],
      ['', []],
      ['sh', ['-c', '']],
      ['sh', ['-c', '#x']],
      [{}],
      [[]],
    ]) {
      const commands = effectiveCommands(program, args)
      expect(commands.some(({ program, role }) => role === 'run' && typeof program !== 'string')).toBe(true)
    }
  })

  it('keeps what cannot be read where it stands', () => {
    expect(runs('echo', ['a', 7, null, 'b'])).toEqual(['echo a <7> <null> b'])
    expect(runs('sh', ['-c', 'echo "a$b"c ~/x *.ts {a,b} $\'x\' d=~/e'])).toEqual([
      'echo <"a$b"c> <~/x> <*.ts> <{a,b}> <$\'x\'> <d=~/e>',
    ])
  })

  it('names what its output is redirected to', () => {
    const [, command] = effectiveCommands('sh', [
      '-c',
      'a > x >> "y z" 2>&1 >&2 2>&- <in &> w <>r > /dev/null >$Z',
    ])
    expect(command?.writes.map(shown)).toEqual(['x', 'y z', 'w', 'r', '<$Z>'])
  })

  it('names it also for what stands in braces, a loop or a shell', () => {
    for (const script of ['{ a; } > x', 'while b; do a; done > x', 'sh -c a > x', 'timeout 5 sh -c a > x']) {
      const commands = effectiveCommands('sh', ['-c', script])
      expect(commands.find(({ program }) => program === 'a')?.writes).toEqual(['x'])
    }
  })
})

describe('a script', () => {
  it('that the parser reads otherwise the second time, or complains about, is doubted', () => {
    expect(readScript('a; b').doubts).toEqual([])
    expect(readScript('a "').doubts).not.toEqual([])
    expect(readScript('a'.repeat(70_000)).doubts).not.toEqual([])
  })

  it('is doubted outside bash where other shells read it differently', () => {
    expect(runs('bash', ['-c', '[[ a || b ]]; c'])).toEqual(['c'])
    expect(runs('dash', ['-c', '[[ a || b ]]; c'])).toContain('c')
    expect(runs('dash', ['-c', '[[ a || b ]]; c'])).toHaveLength(2)
    expect(runs('zsh', ['-c', 'a *(e:b:)'])).toHaveLength(2)
    expect(runs('zsh', ['-c', 'a && b "c d"'])).toEqual(['a', 'b c d'])
  })

  it('is taken apart once while it is remembered, and not remembered for ever', () => {
    const { read } = new ScriptCache()
    const first = read('a; b')
    expect(read('a; b')).toBe(first)
    for (let index = 0; index < 300; index += 1) read(`a ${index}`)
    expect(read('a; b')).not.toBe(first)
    const long = `a ${'b'.repeat(10_000)}`
    expect(read(long)).not.toBe(read(long))
  })
})
