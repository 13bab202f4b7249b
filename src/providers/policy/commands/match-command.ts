import { type Answer, every } from '../../../answer.ts'
import { type EffectiveCommand, isReadable, type Word } from './effective-command.ts'
import { basename } from './program.ts'

/** The part of a rule that is about a program and its arguments. */
export interface CommandPattern {
  readonly command: string
  readonly args?: readonly string[]
  readonly argsAny?: readonly string[]
}

export function matchesCommand(pattern: CommandPattern, { program, args }: EffectiveCommand): Answer {
  return every([
    matchesProgram(pattern.command, program),
    pattern.args ? beginsWith(args, pattern.args) : 'yes',
    pattern.argsAny ? hasAny(args, pattern.argsAny) : 'yes',
  ])
}

/** Where only the letters' case differs it is unknown, so that an allow does not fire and a deny does. */
function matchesProgram(pattern: string, program: Word): Answer {
  if (!isReadable(program)) return 'unknown'
  const name = basename(program)
  if (matchesName(pattern, name)) return 'yes'
  return matchesName(pattern.toLowerCase(), name.toLowerCase()) ? 'unknown' : 'no'
}

function matchesName(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}

function beginsWith(args: readonly Word[], prefix: readonly string[]): Answer {
  for (const [index, wanted] of prefix.entries()) {
    const word = args[index]
    if (word === undefined) return 'no'
    if (!isReadable(word)) return 'unknown'
    if (word !== wanted) return 'no'
  }
  return 'yes'
}

/** What stands behind an unreadable word may be anything's argument. */
function hasAny(args: readonly Word[], wanted: readonly string[]): Answer {
  for (const word of args) {
    if (!isReadable(word)) return 'unknown'
    if (wanted.includes(word)) return 'yes'
  }
  return 'no'
}
