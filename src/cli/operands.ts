import type { Command } from 'commander'
import type { ConfiguredServer } from '../config/config.ts'
import { missingTarget, type Target } from './command-line.ts'
import type { Options } from './invocation.ts'
import { UsageError } from './usage-error.ts'

/** @throws UsageError when there is no server to talk to, or fewer or more operands than the command takes. */
export function checkOperands(
  command: Command,
  operands: readonly string[],
  where: { readonly target?: Target; readonly server?: ConfiguredServer },
  needsServer: boolean,
): void {
  const { url } = command.opts<Options>()
  if (url !== undefined && where.target)
    throw new UsageError('Name one server: either --url, or a command after --')
  checkWire(command.opts<Options>(), where)
  const { registeredArguments } = command
  const most = registeredArguments.some(({ variadic }) => variadic) ? Infinity : registeredArguments.length
  const name = command.name()
  if (needsServer && !where.target && !where.server && url === undefined) {
    const own = ownOperands(command, most)
    throw missingTarget([name, ...operands.slice(0, own)], operands.slice(own))
  }
  const missing = registeredArguments.filter(({ required }) => required)[operands.length]
  if (missing)
    throw new UsageError(`missing required argument '${missing.name()}'\nUsage: ${usageByName(command)}`)
  if (operands.length <= most) return
  const allowed = most === 0 ? 'no arguments' : most === 1 ? 'one argument' : `at most ${most} arguments`
  throw new UsageError(`troupe ${name} takes ${allowed}; too much: ${operands.slice(most).join(' ')}`)
}

/** How a command is written for a server that has a name. */
export function usageByName(command: Command): string {
  const operands = command.registeredArguments.map((argument) => {
    const name = argument.name() + (argument.variadic ? '...' : '')
    return argument.required ? `<${name}>` : `[${name}]`
  })
  return ['troupe', command.name(), '[options]', '<server by name>', ...operands].join(' ')
}

function checkWire(
  { url, header, cwd, env }: Options,
  { server }: { readonly server?: ConfiguredServer },
): void {
  const isUrl = url !== undefined || (server !== undefined && 'url' in server.spec)
  if (!isUrl && header) throw new UsageError('--header belongs to --url')
  if (isUrl && (cwd ?? env))
    throw new UsageError('--cwd and --env belong to a command after --, not to --url')
}

/** Who forgot the dashes wrote the server's command line where ours ends. Guesses how many operands are ours. */
function ownOperands({ args, registeredArguments }: Command, most: number): number {
  if (args.length > most) return registeredArguments.filter(({ required }) => required).length
  if (most !== Infinity) return args.length
  const foreign = args.findIndex((word, index) => index > 0 && !/^[^=]+=|^[{@-]/.test(word))
  return foreign < 0 ? args.length : foreign
}
