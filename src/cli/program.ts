import type { Command } from 'commander'
import { packageVersion } from '../version.ts'
import type { Target } from './command-line.ts'
import { type CommandModule, commands, type ListedCommand } from './commands.ts'
import { ExitCode, exitCodeTable } from './exit-codes.ts'
import { explainComplaint } from './explain-complaint.ts'
import type { HidingIo } from './hiding-io.ts'
import type { Io } from './io.ts'
import { namedServer } from './named-server.ts'
import { checkOperands, usageByName } from './operands.ts'
import { addServerOptions } from './server-options.ts'
import { styleFor } from './text/style.ts'

/** Parses a command line and runs what it says. @throws UsageError, or what the command failed with. */
export async function execute(
  argv: readonly string[],
  target: Target | undefined,
  io: HidingIo,
): Promise<number> {
  const commander = await import('commander')
  const program = describeProgram(new commander.Command(), io)
  const wanted = wantedCommand(argv)
  let exitCode: number = ExitCode.ok
  let needsServer = false
  for (const [name, { usage, summary, load }] of commands) {
    const command = program.command(usage).summary(summary)
    if (name !== wanted) continue
    const module = await load()
    needsServer = module.needsServer
    describeCommand(command, module, { usage, summary }, commander)
    command.action(async () => {
      const named = module.needsServer ? await namedServer(command, target, io) : undefined
      const { server, config } = named ?? {}
      if (server) io.hide(server.secrets)
      const operands = server ? command.args.slice(1) : command.args
      checkOperands(command, operands, { target, server }, module.needsServer)
      exitCode = await module.run({ io, name, operands, options: command.opts(), target, server, config })
    })
  }
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof commander.CommanderError)) throw error
    // Help and the version end the parsing too.
    if (error.exitCode !== 0) throw explainComplaint(error, argv, target, needsServer)
  }
  return exitCode
}

/** What stands after a command is the command's own: it may have a --version too. */
function describeProgram(program: Command, io: Io): Command {
  const style = styleFor(io.out, io.env)
  const exitCodes = exitCodeTable.map(([code, meaning]) => `  ${String(code).padEnd(4)} ${meaning}`)
  return program
    .name('troupe')
    .description('Talk to a Model Context Protocol server from a shell.')
    .usage(
      `<command> [options] (-- <server>... | --url <url>)
       troupe <command> [options] <server by name>`,
    )
    .version(packageVersion, '-V, --version', 'print the version')
    .enablePositionalOptions()
    .helpOption('-h, --help', 'show help')
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({ styleTitle: (title) => style.bold(title) })
    .configureOutput({
      writeOut: (text) => io.out.write(text),
      // Errors are reported in one place, from what is thrown.
      writeErr: () => {},
      getOutHelpWidth: () => io.out.columns ?? 100,
      // Whether there are any is for the style to say.
      getOutHasColors: () => true,
    })
    .addHelpText(
      'after',
      `
${style.bold('Examples:')}
  troupe probe -- npx -y @modelcontextprotocol/server-everything
  troupe tools -- node server.js
  troupe call echo text=hi -- node server.js
  troupe tools --url https://example.com/mcp --header "Authorization: Bearer …"

${style.bold('Exit codes:')}
${exitCodes.join('\n')}`,
    )
}

function describeCommand(
  command: Command,
  { needsServer, define, notes, examples }: CommandModule,
  { usage, summary }: Pick<ListedCommand, 'usage' | 'summary'>,
  commander: typeof import('commander'),
): void {
  const operands = usage.split(' ').slice(1)
  const server = needsServer ? ['(-- <server>... | --url <url>)'] : []
  const byName = needsServer ? `\n       ${usageByName(command)}` : ''
  command.description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
  command.usage(['[options]', ...operands, ...server].join(' ') + byName).allowExcessArguments()
  define?.(command)
  if (needsServer) addServerOptions(command, commander)
  const bold = (text: string) => command.createHelp().styleTitle(text)
  const shown = [...(notes ? [notes, ''] : []), bold('Examples:'), ...examples.map((line) => `  ${line}`)]
  command.addHelpText('after', `\n${shown.join('\n')}`)
}

/** `troupe tools`, `troupe help tools`, and `troupe tools --help`: the command whose file is needed. */
function wantedCommand([first = '', second = '']: readonly string[]): string {
  return first === 'help' ? second : first
}
