import type { Answer } from '../../../answer.ts'
import { type EffectiveCommand, isReadable, type Word } from '../commands/effective-command.ts'
import { foldedName } from '../commands/program.ts'
import { isForeignShell, isShell, readShellInvocation } from '../commands/shell-invocation.ts'

const languages =
  /^(?:python|perl|ruby|node|nodejs|deno|bun|php|lua|luajit|tclsh|osascript|rscript|julia|groovy|scala)[\d.]*$/

/** A program that runs whatever it is fed: nobody sees what that is. */
export function runsUnseenScript({ program, args, role }: EffectiveCommand): Answer {
  if (!isReadable(program)) return 'unknown'
  const name = foldedName(program)
  if (isShell(name)) return role === 'run' && readShellInvocation(args).kind !== 'payload' ? 'yes' : 'no'
  if (name === 'source' || name === '.') return 'yes'
  if (!languages.test(name) && !isForeignShell(name)) return 'no'
  return args.length === 0 || args.some(isInput) ? 'yes' : 'no'
}

/** Standard input by name, or what a process substitution writes. */
function isInput(word: Word): boolean {
  return isReadable(word) ? /^(?:-|\/dev\/(?:stdin|fd\/\d+))$/.test(word) : word.source.startsWith('<(')
}
