import { once } from 'node:events'
import { configPath } from '../../config/find-config.ts'
import type { CommandModule } from '../commands.ts'
import { ExitCode } from '../exit-codes.ts'
import { Reporter } from '../up/reporter.ts'
import { UsageError } from '../usage-error.ts'

export const up: CommandModule = {
  needsServer: false,
  notes: `Runs every server of .mcp.json or .vscode/mcp.json, here or in a folder above,
and starts again what goes down. The file is followed: what changes in it changes
here. ^C stops all servers in good order; a second one kills them.`,
  examples: [
    'troupe up                               # a table, on a terminal',
    'troupe up --config servers.json         # another file',
    "troupe up --json | jq 'select(.state)'  # an event a line",
  ],
  define: (command) =>
    command
      .option('--config <file>', 'where the servers are configured')
      .option('--json', 'write every event as one line of JSON')
      .option('--verbose', 'show every line of the servers’ stderr'),
  async run(invocation) {
    const { io, options } = invocation
    const path = await configPath(options.config, io.cwd)
    if (path === undefined)
      throw new UsageError(
        'No servers are configured: there is no .mcp.json here or in a folder above. --config names another file.',
      )
    const reporter = new Reporter(invocation)
    const { Registry } = await import('../../providers/registry/registry.ts')
    const registry = await Registry.fromConfig(path, {
      env: io.env,
      watch: true,
      onConfig: (config) => reporter.enter(config),
      onWarn: (message) => reporter.tell({ event: 'warning', message }),
      ...(options.verbose && {
        onStderr: (server, line) => reporter.tell({ event: 'stderr', server, line }),
      }),
    })
    registry.on('child', ({ path: [prefix] }) => reporter.tellOf(prefix))
    reporter.follow(registry)
    await interrupted(io.interrupt)
    reporter.tell({ event: 'draining' })
    await registry.close()
    reporter.tell({ event: 'stopped' })
    return ExitCode.ok
  },
}

/** Servers that are all down keep no process running. */
async function interrupted(signal: AbortSignal): Promise<void> {
  const staying = setInterval(() => {}, 2 ** 30)
  if (!signal.aborted) await once(signal, 'abort')
  clearInterval(staying)
}
