import type { AuthOptions } from '../../auth/auth-options.ts'
import type { Hooks } from '../../client/hooks.ts'
import { type Config, type ConfiguredServer, prefixOf, type ServerSpec } from '../../config/config.ts'
import { type Difference, difference } from '../../config/difference.ts'
import { FollowedConfig } from '../../config/follow-config.ts'
import { loadConfig } from '../../config/load-config.ts'
import { thrownMessage } from '../../thrown-message.ts'
import type { ServerOptions } from './options.ts'
import type { Registry } from './registry.ts'

export interface FromConfigOptions {
  /** What `${NAME}` stands for; default the environment of this process. */
  readonly env?: { readonly [name: string]: string | undefined }
  /** Whether to follow the file: what changes there changes here, and a file that became bad changes nothing; default false. */
  readonly watch?: boolean
  /** Told of every configuration that came into force, the first included. */
  readonly onConfig?: (config: Config) => void
  /** Told of every line of a server's stderr, with the server's name. */
  readonly onStderr?: (server: string, line: string) => void
  /** The `onElicit` of a server, by its name. */
  readonly elicitFor?: (server: string) => Hooks['onElicit']
  /** What goes with the `auth` of a server on a URL, by its name, and what a file cannot say: a hook, a store. */
  readonly authFor?: (server: string) => AuthOptions | undefined
}

/** Fills a registry with what is configured. What it returns ends the following of the file. @throws ConfigError */
export async function fillFromConfig(
  registry: Registry,
  source: string | object,
  options: FromConfigOptions,
  warn: (message: string) => void,
): Promise<Disposable> {
  const { env = process.env, watch = false, onConfig } = options
  const enter = (config: Config) => {
    for (const warning of config.warnings) warn(warning)
    onConfig?.(config)
  }
  const follow = typeof source === 'string' && watch
  const followed = follow
    ? await FollowedConfig.open(source, {
        env,
        onWarn: warn,
        onChange: async (after, before) => {
          try {
            enter(after)
          } finally {
            // The next difference is one from here.
            await change(registry, difference(before, after), options, warn)
          }
        },
      })
    : { config: await loadConfig(source, env), [Symbol.dispose]: () => {} }
  try {
    enter(followed.config)
    for (const server of followed.config.servers.values())
      registry.add(specOf(server, options), { prefix: prefixOf(server), ...settingsOf(server, options) })
  } catch (error) {
    followed[Symbol.dispose]()
    throw error
  }
  return followed
}

/** What cannot be done for one server is told, and done for the others. */
async function change(
  registry: Registry,
  { removed, changed, added }: Difference,
  options: FromConfigOptions,
  warn: (message: string) => void,
): Promise<void> {
  const attempt = async ({ name }: ConfiguredServer, act: () => unknown) => {
    try {
      await act()
    } catch (error) {
      warn(`${name}: ${thrownMessage(error)}`)
    }
  }
  const remove = (server: ConfiguredServer) => attempt(server, () => registry.remove(prefixOf(server)))
  const add = (server: ConfiguredServer) =>
    attempt(server, () =>
      registry.add(specOf(server, options), { prefix: prefixOf(server), ...settingsOf(server, options) }),
    )
  const replace = (server: ConfiguredServer) =>
    attempt(server, () =>
      registry.replace(prefixOf(server), specOf(server, options), settingsOf(server, options)),
    )
  const isMoved = ({ before, after }: Difference['changed'][number]) => prefixOf(before) !== prefixOf(after)
  const moved = changed.filter(isMoved)
  // Every prefix is free before it is given to another.
  await Promise.all([
    ...[...removed, ...moved.map(({ before }) => before)].map(remove),
    ...changed.filter((pair) => !isMoved(pair)).map(({ after }) => replace(after)),
    ...[...moved.map(({ after }) => after), ...added].map(add),
  ])
}

/** What the file says wins. */
function specOf({ name, spec }: ConfiguredServer, { authFor }: FromConfigOptions): ServerSpec {
  const auth = 'url' in spec ? authFor?.(name) : undefined
  return 'url' in spec && auth ? { ...spec, auth: { ...auth, ...spec.auth } } : spec
}

function settingsOf(
  { name, spec, supervision, client }: ConfiguredServer,
  { onStderr, elicitFor }: FromConfigOptions,
): Omit<ServerOptions, 'prefix'> {
  const { prefix: _, ...settings } = supervision
  const stderr = onStderr && 'command' in spec && { onStderr: (line: string) => onStderr(name, line) }
  const onElicit = elicitFor?.(name)
  return { ...settings, ...client, ...stderr, ...(onElicit && { onElicit }) }
}
