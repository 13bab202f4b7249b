import { isReadable, type Word } from './effective-command.ts'

/** A git command taken apart: what stands before its subcommand, and after it. */
export interface GitCommand {
  readonly globals: readonly Word[]
  /** Undefined when there is none, or it cannot be told which word it is. */
  readonly subcommand: string | undefined
  readonly rest: readonly Word[]
}

const valued = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
  '--config-env',
  '--super-prefix',
  '--list-cmds',
  '--attr-source',
])

export function readGit(args: readonly Word[]): GitCommand {
  let index = 0
  for (; index < args.length; index += 1) {
    const word = args[index]
    if (!isReadable(word) || !word.startsWith('-')) break
    if (valued.has(word)) index += 1
  }
  const subcommand = args[index]
  return {
    globals: args.slice(0, index),
    subcommand: isReadable(subcommand) ? subcommand : undefined,
    rest: args.slice(index + 1),
  }
}
