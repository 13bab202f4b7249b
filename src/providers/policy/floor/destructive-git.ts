import type { Answer } from '../../../answer.ts'
import { type EffectiveCommand, isReadable } from '../commands/effective-command.ts'
import { readGit } from '../commands/git-command.ts'
import { foldedName } from '../commands/program.ts'

/** What in a subcommand's words throws work away. Long options may be shortened, short ones clustered. */
const destructive: { readonly [subcommand: string]: RegExp } = {
  push: /^-[^-]*[fd]|^--(?:f|mi|de|pru)|^[+:]./,
  reset: /^--h(?:a|ar|ard)?$/,
  clean: /^/,
  stash: /^(?:drop|clear)$/,
  checkout: /^-[^-]*f|^--f|^\.\/?$|^:\/?$/,
  restore: /^\.\/?$|^:\/?$/,
  switch: /^-[^-]*f|^--(?:f|di)/,
  branch: /^-[^-]*D|^--f/,
}

/** git that rewrites history on a server, or loses what was not committed. */
export function destroysWithGit({ program, args }: EffectiveCommand): Answer {
  if (!isReadable(program)) return 'unknown'
  if (foldedName(program) !== 'git') return 'no'
  const { globals, subcommand, rest } = readGit(args)
  const hasAlias = globals.some((word) => isReadable(word) && /^(?:-c)?alias\./i.test(word))
  if (hasAlias) return 'yes'
  if (subcommand === undefined) return args.every(isReadable) ? 'no' : 'unknown'
  const pattern = Object.hasOwn(destructive, subcommand) ? destructive[subcommand] : undefined
  if (!pattern) return 'no'
  if (subcommand === 'clean' || rest.some((word) => isReadable(word) && pattern.test(word))) return 'yes'
  return rest.every(isReadable) ? 'no' : 'unknown'
}
