import type { CommanderError } from 'commander'
import type { Target } from './command-line.ts'
import { commands } from './commands.ts'
import { UsageError } from './usage-error.ts'

/** What the parser complains of, and what to do about it. `argv` is the command line up to the server's, where one is wanted. */
export function explainComplaint(
  { code, message }: CommanderError,
  [name = '', subject = '']: readonly string[],
  target: Target | undefined,
  needsServer: boolean,
): UsageError {
  if (code === 'commander.help') {
    const isUnknown = name === 'help' && subject !== ''
    const what = isUnknown ? `There is no command ${JSON.stringify(subject)}` : 'No command given'
    return new UsageError(`${what}; troupe --help lists them`)
  }
  const complaint = message.replace(/^error: /, '').replace(/\n\((.*)\)$/, '. $1')
  return new UsageError([complaint, hintFor(code, name, target, needsServer)].filter(Boolean).join('\n'))
}

function hintFor(
  code: string,
  name: string,
  target: Target | undefined,
  needsServer: boolean,
): string | undefined {
  const command = commands.get(name)
  if (code === 'commander.unknownCommand') return 'troupe --help lists all commands.'
  if (!command) return name.startsWith('-') ? 'Options go after the command: troupe tools --json' : undefined
  if (code === 'commander.missingArgument') return `Usage: troupe ${command.usage}`
  if (code !== 'commander.unknownOption' || !needsServer) return undefined
  if (!target) return 'What belongs to the server goes after --'
  return command.usage.includes('[args...]') ? 'Arguments are written key=value, without dashes.' : undefined
}
