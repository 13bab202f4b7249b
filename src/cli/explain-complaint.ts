import type { CommanderError } from 'commander'
import type { Target } from './command-line.ts'
import { commands } from './commands.ts'
import { UsageError } from './usage-error.ts'

/** What the parser complains of, and what to do about it. `name` is the first word of the command line. */
export function explainComplaint(
  { code, message }: CommanderError,
  name: string | undefined,
  target: Target | undefined,
): UsageError {
  if (code === 'commander.help') return new UsageError('No command given; troupe --help lists them')
  const complaint = message.replace(/^error: /, '').replace(/\n\((.*)\)$/, '. $1')
  return new UsageError([complaint, hintFor(code, name ?? '', target)].filter(Boolean).join('\n'))
}

function hintFor(code: string, name: string, target: Target | undefined): string | undefined {
  const command = commands.get(name)
  if (code === 'commander.unknownCommand') return 'troupe --help lists all commands.'
  if (!command) return name.startsWith('-') ? 'Options go after the command: troupe tools --json' : undefined
  if (code === 'commander.missingArgument') return `Usage: troupe ${command.usage}`
  if (code !== 'commander.unknownOption') return undefined
  if (!target) return 'What belongs to the server goes after --'
  return command.usage.includes('[args...]') ? 'Arguments are written key=value, without dashes.' : undefined
}
