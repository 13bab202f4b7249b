import { nearest } from '../nearest.ts'
import { type Config, type ConfiguredServer, prefixOf } from './config.ts'
import { Place } from './place.ts'
import { readServer, serverKeys } from './read-server.ts'
import { readSettings } from './read-settings.ts'
import { object, unknownKey } from './readers.ts'
import type { Source } from './source.ts'
import type { Variables } from './variables.ts'

/** A config whose `envFile`s are yet to be read: absolute paths, by server. */
export interface UnreadConfig extends Omit<Config, 'files'> {
  readonly envFiles: ReadonlyMap<string, string>
}

/** Understands a configuration. @throws ConfigError with the path of the bad key */
export function readConfig(source: Source, variables: Variables): UnreadConfig {
  const top = new Place(source)
  const config = object(source.value, top)
  const listKey = keyOfServers(config, top)
  const list = top.at(listKey)
  const warnings = passOver(config, topKeys, top)
  const servers = new Map<string, ConfiguredServer>()
  /** Who has them. */
  const prefixes = new Map<string, string>()
  const disabled: string[] = []
  const envFiles = new Map<string, string>()
  for (const [name, value] of Object.entries(object(config[listKey], list))) {
    const place = list.at(name)
    const entry = object(value, place)
    warnings.push(...passOver(entry, serverKeys, place))
    const read = readServer(name, entry, place, variables)
    if (read === 'disabled') disabled.push(name)
    else {
      checkPrefix(read.server, prefixes, place)
      servers.set(name, read.server)
      if (read.envFile !== undefined) envFiles.set(name, read.envFile)
    }
  }
  const settings = readSettings(config.troupe, top.at('troupe'), variables)
  return { servers, disabled, envFiles, settings, warnings }
}

const topKeys = ['mcpServers', 'servers', 'troupe', 'inputs', '$schema']

function keyOfServers(config: object, top: Place): 'mcpServers' | 'servers' {
  const [has, hasToo] = [Object.hasOwn(config, 'mcpServers'), Object.hasOwn(config, 'servers')]
  if (has && hasToo)
    throw top.at('servers').bad('stands beside mcpServers; put all servers under one of them')
  if (has || hasToo) return has ? 'mcpServers' : 'servers'
  for (const key of Object.keys(config)) {
    const near = nearest(key, ['mcpServers', 'servers'])
    if (near) throw top.at(key).bad(`is no key of a configuration; did you mean ${near}?`)
  }
  throw top.bad('has no mcpServers; write {"mcpServers": {"name": {"command": "…"}}}')
}

/** Other programs read the same file and have keys of their own; but one that is almost ours is a slip. @throws ConfigError */
function passOver(
  object: { readonly [key: string]: unknown },
  known: readonly string[],
  place: Place,
): string[] {
  return Object.keys(object)
    .filter((key) => !known.includes(key))
    .map((key) => {
      if (nearest(key, known)) throw place.at(key).bad(unknownKey(key, known))
      return place.at(key).bad('is not known here and was passed over').message
    })
}

function checkPrefix(server: ConfiguredServer, taken: Map<string, string>, place: Place): void {
  const prefix = prefixOf(server)
  const other = taken.get(prefix)
  if (other !== undefined)
    throw place.bad(`has the prefix ${prefix}, as ${other} has; give one of them another troupe.prefix`)
  taken.set(prefix, server.name)
}
