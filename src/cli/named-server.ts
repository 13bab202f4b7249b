import type { Command } from 'commander'
import type { Config, ConfiguredServer } from '../config/config.ts'
import { suggestion } from '../nearest.ts'
import type { Target } from './command-line.ts'
import type { Options } from './invocation.ts'
import type { Io } from './io.ts'
import { UsageError } from './usage-error.ts'

/** A configured server, and what it is configured in. */
export interface NamedServer {
  readonly server: ConfiguredServer
  readonly config: Config
}

/** The configured server that the first operand names, where nothing else says which. @throws UsageError, ConfigError */
export async function namedServer(
  command: Command,
  target: Target | undefined,
  io: Io,
): Promise<NamedServer | undefined> {
  const { url, config: path } = command.opts<Options>()
  const isSaid = target !== undefined || url !== undefined
  if (isSaid && path === undefined) return undefined
  if (isSaid)
    throw new UsageError('--config is for a server by its name, without --url or a command after --')
  const config = await openConfig(path, io)
  if (!config) return undefined
  const [name] = command.args
  if (name === undefined)
    throw new UsageError(
      `Which server? ${config.files[0]} has: ${[...config.servers.keys()].join(', ') || 'none'}`,
    )
  return { server: find(name, config), config }
}

/** The configuration at a path, or else that of the project we are in; undefined when there is none. @throws ConfigError */
export async function openConfig(path: string | undefined, io: Io): Promise<Config | undefined> {
  const { configPath } = await import('../config/find-config.ts')
  const found = await configPath(path, io.cwd)
  if (found === undefined) return undefined
  const { loadConfig } = await import('../config/load-config.ts')
  return loadConfig(found, io.env)
}

function find(name: string, { servers, disabled, files: [path] }: Config): ConfiguredServer {
  const server = servers.get(name)
  if (server) return server
  if (disabled.includes(name)) throw new UsageError(`The server ${name} is disabled in ${path}`)
  throw new UsageError(
    `There is no server ${JSON.stringify(name)} in ${path}. ${suggestion(name, [...servers.keys()], 'troupe up')}
The command line of one that is not configured goes after --`,
  )
}
