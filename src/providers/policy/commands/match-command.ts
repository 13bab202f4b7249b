import { type Answer, every } from '../../../answer.ts'
import type { Rule } from '../rule.ts'
import { type EffectiveCommand, isReadable, type Word } from './effective-command.ts'
import { basename } from './program.ts'

/** The part of a rule that is about a program and its arguments, read once. */
export interface CommandPattern {
  readonly command: string
  readonly folded: string
  readonly args: readonly string[] | undefined
  readonly argsAny: readonly string[] | undefined
}

/** A command with what every rule asks of it. */
export interface MeasuredCommand {
  readonly command: EffectiveCommand
  /** The program's basename; undefined when it cannot be read. */
  readonly name: string | undefined
  readonly folded: string | undefined
}

export function measure(command: EffectiveCommand): MeasuredCommand {
  const name = isReadable(command.program) ? basename(command.program) : undefined
  return { command, name, folded: name?.toLowerCase() }
}

export function commandPattern({ command, args, argsAny }: Rule): CommandPattern | undefined {
  return command === undefined ? undefined : { command, folded: command.toLowerCase(), args, argsAny }
}

export function matchesCommand(pattern: CommandPattern, measured: MeasuredCommand): Answer {
  const matches = matchesProgram(pattern, measured)
  if (matches === 'no') return 'no'
  const { args } = measured.command
  return every([
    matches,
    pattern.args ? beginsWith(args, pattern.args) : 'yes',
    pattern.argsAny ? hasAny(args, pattern.argsAny) : 'yes',
  ])
}

/** Where only the letters' case differs it is unknown, so that an allow does not fire and a deny does. */
function matchesProgram({ command, folded }: CommandPattern, measured: MeasuredCommand): Answer {
  if (measured.name === undefined || measured.folded === undefined) return 'unknown'
  if (matchesName(command, measured.name)) return 'yes'
  return matchesName(folded, measured.folded) ? 'unknown' : 'no'
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
