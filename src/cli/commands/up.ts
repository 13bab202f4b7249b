import { AsyncLocalStorage } from 'node:async_hooks'
import type { Hooks } from '../../client/hooks.ts'
import type { Config } from '../../config/config.ts'
import { configPath } from '../../config/find-config.ts'
import type { Inspector } from '../../inspector/index.ts'
import type { OnAsk } from '../../providers/policy/ask.ts'
import { GrantsFile } from '../../providers/policy/grants-file.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { takesTokens } from '../auth/stored-auth.ts'
import type { CommandModule } from '../commands.ts'
import { ExitCode } from '../exit-codes.ts'
import type { Invocation } from '../invocation.ts'
import type { Io } from '../io.ts'
import { openConfig } from '../named-server.ts'
import { personOf } from '../person-of.ts'
import { askable, askingPolicy } from '../policy/asking-policy.ts'
import { standingPolicy } from '../policy/standing-policy.ts'
import { portOf } from '../port-of.ts'
import { oneLine } from '../text/printable.ts'
import { untilAborted } from '../until-aborted.ts'
import { Reporter } from '../up/reporter.ts'
import { UsageError } from '../usage-error.ts'

export const up: CommandModule = {
  needsServer: false,
  notes: `Runs every server of .mcp.json or .vscode/mcp.json, here or in a folder above,
and starts again what goes down. The file is followed: what changes there
changes here. ^C stops all servers in good order; a second one kills them.`,
  examples: [
    'troupe up                               # a table, on a terminal',
    'troupe up --config servers.json         # another file',
    'troupe up --inspect                     # with a page to watch them on',
    'troupe up --ask                         # and answer what they ask',
    "troupe up --json | jq 'select(.state)'  # an event a line",
  ],
  define: (command) =>
    command
      .option('--config <file>', 'where the servers are configured')
      .option('--json', 'write every event as one line of JSON')
      .option(
        '--inspect [port]',
        'serve a page on this machine that shows every server live',
        portOf('--inspect'),
      )
      .option('--ask', 'put the questions of servers to you, at this terminal')
      .option('--verbose', 'show every line of the servers’ stderr'),
  async run(invocation) {
    const { io, options } = invocation
    const path = await configPath(options.config, io.cwd)
    if (path === undefined)
      throw new UsageError(
        'No servers are configured: there is no .mcp.json here or in a folder above. --config names another file.',
      )
    const inspector = options.inspect === undefined ? undefined : await openInspector(options.inspect)
    try {
      await keepUp(path, invocation, inspector)
    } finally {
      await inspector?.close()
    }
    return ExitCode.ok
  },
}

async function keepUp(path: string, outside: Invocation, inspector: Inspector | undefined): Promise<void> {
  const asker = new AsyncLocalStorage<string>()
  const { invocation, onAsk } = await personOf(outside, () => oneLine(asker.getStore()))
  const { io, options } = invocation
  const { Registry } = await import('../../providers/registry/registry.ts')
  await checkPermissions(path, io)
  const reporter = new Reporter(invocation)
  const { signInsOf } = await import('../auth/sign-ins-of.ts')
  const store = signInsOf(io)
  let servers: Config['servers'] = new Map()
  const registry = await Registry.fromConfig(path, {
    env: io.env,
    watch: true,
    inspect: inspector?.observer,
    authFor: (name) => {
      const { spec } = servers.get(name) ?? {}
      return spec && 'url' in spec && takesTokens(spec) ? { store } : undefined
    },
    onConfig: (config) => {
      servers = config.servers
      reporter.enter(config)
      warnOfRules(config, reporter)
    },
    onWarn: (message) => reporter.warn(message),
    ...(onAsk && { elicitFor: elicitation(onAsk, asker, reporter), clientCapabilities: askable }),
    ...(options.verbose && {
      onStderr: (server, line) => reporter.stderr(server, line),
    }),
  })
  registry.on('child', (event) => reporter.moved(event))
  reporter.follow(registry)
  if (inspector) reporter.tell({ event: 'inspector', url: inspector.url })
  await untilAborted(io.out.left ? AbortSignal.any([io.interrupt, io.out.left]) : io.interrupt)
  reporter.tell({ event: 'draining' })
  await registry.close()
  reporter.tell({ event: 'stopped' })
}

/** One question at a time, whichever server asks. */
function elicitation(onAsk: OnAsk, asker: AsyncLocalStorage<string>, reporter: Reporter) {
  const policy = askingPolicy({ rules: [] }, { onAsk, onWarn: (message) => reporter.warn(message) })
  return (server: string): Hooks['onElicit'] =>
    (request, context) =>
      asker.run(server, () => policy.elicitHook({ ...request }, context))
}

/** Before anything is started. @throws ConfigError */
async function checkPermissions(path: string, io: Io): Promise<void> {
  const config = await openConfig(path, io)
  if (!config) return
  standingPolicy(config)
  const { grantsFile } = config.settings
  if (grantsFile !== undefined) await GrantsFile.open(grantsFile)
}

/** Of a file that changed: its servers run all the same. */
function warnOfRules(config: Config, reporter: Reporter): void {
  try {
    standingPolicy(config)
  } catch (error) {
    reporter.warn(thrownMessage(error))
  }
}

async function openInspector(port: true | number): Promise<Inspector> {
  const { serveInspector } = await import('../../inspector/index.ts')
  return serveInspector(port === true ? {} : { port })
}
