import type { Command } from 'commander'
import { loggingLevels } from '../protocol/logging.ts'
import type { Options } from './invocation.ts'
import { UsageError } from './usage-error.ts'

/** The options of every command that talks to a server. */
export function addServerOptions(command: Command, { Option }: typeof import('commander')): Command {
  return command
    .option('--json', 'write one JSON document to stdout, and a failure as one JSON line to stderr')
    .option('--verbose', 'show every message, warning and line of the server’s stderr, on stderr')
    .option('--url <url>', 'talk to the server at this address, instead of running one')
    .option('--config <file>', 'where servers have names (default: .mcp.json, here or in a folder above)')
    .option('--header <Name: value>', 'sent with every request to --url; may be repeated', addHeader)
    .option('--cwd <folder>', 'where the server runs')
    .option('--env <KEY=VALUE>', 'a variable for the server; may be repeated', addVariable)
    .option(
      '--timeout <ms>',
      'how long the server may take to answer; 0: for ever (default: 60000)',
      milliseconds,
    )
    .option('--probe-timeout <ms>', 'how long the first question may take (default: 5000)', milliseconds)
    .addOption(
      new Option(
        '--era <era>',
        'auto (default) asks the server; the others skip that, or its fallback',
      ).choices(['auto', 'modern', 'legacy']),
    )
    .addOption(
      new Option('--log-level <level>', 'show log messages of the server from that level on').choices(
        loggingLevels,
      ),
    )
}

/** @throws UsageError */
export function milliseconds(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new UsageError(`A timeout is milliseconds, 0 or more, not ${JSON.stringify(text)}`)
  return value
}

function addHeader(text: string, before: Options['header'] = {}): Options['header'] {
  const colon = text.indexOf(':')
  // The value may be a secret: it is not repeated.
  if (colon < 1) throw new UsageError('--header takes Name: value, e.g. --header "Authorization: Bearer …"')
  return { ...before, [text.slice(0, colon).trim()]: text.slice(colon + 1).trim() }
}

function addVariable(text: string, before: Options['env'] = {}): Options['env'] {
  const equals = text.indexOf('=')
  if (equals < 1) throw new UsageError(`--env takes KEY=VALUE, not ${JSON.stringify(text)}`)
  return { ...before, [text.slice(0, equals)]: text.slice(equals + 1) }
}
