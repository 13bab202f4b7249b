import type { Command } from 'commander'
import { missingTarget, type Target } from './command-line.ts'
import type { Options } from './invocation.ts'
import { UsageError } from './usage-error.ts'

/** @throws UsageError when there is no server to talk to, or more operands than the command takes. */
export function checkOperands(command: Command, target: Target | undefined, needsServer: boolean): void {
  const { url, header, cwd, env } = command.opts<Options>()
  if (url !== undefined && target)
    throw new UsageError('Name one server: either --url, or a command after --')
  if (url === undefined && header) throw new UsageError('--header belongs to --url')
  if (url !== undefined && (cwd ?? env))
    throw new UsageError('--cwd and --env belong to a command after --, not to --url')
  const { args: operands, registeredArguments } = command
  const most = registeredArguments.some(({ variadic }) => variadic) ? Infinity : registeredArguments.length
  const name = command.name()
  if (needsServer && !target && url === undefined) {
    const own = ownOperands(command, most)
    throw missingTarget([name, ...operands.slice(0, own)], operands.slice(own))
  }
  if (operands.length <= most) return
  const allowed = most === 0 ? 'no arguments' : most === 1 ? 'one argument' : `at most ${most} arguments`
  throw new UsageError(`troupe ${name} takes ${allowed}; too much: ${operands.slice(most).join(' ')}`)
}

/** Who forgot the dashes wrote the server's command line where ours ends. Guesses how many operands are ours. */
function ownOperands({ args, registeredArguments }: Command, most: number): number {
  if (args.length > most) return registeredArguments.filter(({ required }) => required).length
  if (most !== Infinity) return args.length
  const foreign = args.findIndex((word, index) => index > 0 && !/^[^=]+=|^[{@-]/.test(word))
  return foreign < 0 ? args.length : foreign
}
