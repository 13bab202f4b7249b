import type { Answer } from '../../../answer.ts'
import { couldBeOption } from '../commands/could-be-option.ts'
import { type EffectiveCommand, isReadable, type Word } from '../commands/effective-command.ts'
import { foldedName } from '../commands/program.ts'
import { absolute, isWithin, placeOf, textOf, unquoted } from './place.ts'

/** A recursive rm of `/` or of the home directory, or of what holds it, however they are spelt. */
export function removesEverything({ program, args }: EffectiveCommand, home: string): Answer {
  if (!isReadable(program) || foldedName(program) !== 'rm' || !isRecursive(args)) return 'no'
  return operands(args).some((target) => isEverything(target, home)) ? 'yes' : 'no'
}

/** An rm that may be recursive, of what only the shell knows. */
export function removesUnreadable({ program, args }: EffectiveCommand): Answer {
  if (!isReadable(program)) return 'unknown'
  if (foldedName(program) !== 'rm' || args.every(isReadable)) return 'no'
  if (isRecursive(args)) return 'yes'
  return args.some(couldBeOption) ? 'unknown' : 'no'
}

/** Long options may be shortened. */
function isRecursive(args: readonly Word[]): boolean {
  return args.some((word) => isReadable(word) && /^-[^-]*[rR]|^--r(?:e(?:c\w*)?)?$/.test(word))
}

function operands(args: readonly Word[]): readonly Word[] {
  const end = args.indexOf('--')
  return args.filter((word, index) => (end >= 0 && index > end) || !textOf(word).startsWith('-'))
}

function isEverything(target: Word, home: string): boolean {
  const text = unquoted(textOf(target))
  // Everything in it is as good as it.
  const directory = text.replace(/(?<=\/)(?:\*|\.\*|\.\[!?\.\]\*|\{\*,\.\*\})+$/, '')
  if (/^~[\w.+-]*(?:\/\.{0,2})*$/.test(directory)) return true
  const place = placeOf(isReadable(target) ? directory : { source: directory }, home)
  return place !== undefined && isWithin(absolute(home), place)
}
