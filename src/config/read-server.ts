import { resolve } from 'node:path'
import { secretsInAuth } from '../auth/secrets-in-auth.ts'
import { checkHttpOptions, checkStdioOptions } from '../client/options.ts'
import { ConfigError } from '../errors.ts'
import { secretName } from '../secret-shapes.ts'
import { secretsOf } from '../transports/secrets-of.ts'
import type { ConfiguredServer, ServerSpec } from './config.ts'
import type { Place } from './place.ts'
import { readTroupe, type WireKind } from './read-troupe.ts'
import { anyText, flag, listOf, mapOf, object, type Read, text } from './readers.ts'
import { fillIn, type Variables } from './variables.ts'

type Entry = { readonly [key: string]: unknown }

export const serverKeys = [
  'type',
  'command',
  'args',
  'env',
  'envFile',
  'cwd',
  'url',
  'headers',
  'auth',
  'disabled',
  'troupe',
] as const

/** One entry under `mcpServers`. Of one that is disabled nothing else is looked at. @throws ConfigError */
export function readServer(
  name: string,
  raw: Entry,
  place: Place,
  variables: Variables,
): { readonly server: ConfiguredServer; readonly envFile?: string } | 'disabled' {
  if (name.trim() === '') throw place.bad('has no name; give it one')
  if (optional(flag, raw, 'disabled', place)) return 'disabled'
  const filled: string[] = []
  const onFill = (variable: string, value: string) => secretName.test(variable) && filled.push(value)
  const entry = object(fillIn(raw, place, { ...variables, onFill }), place)
  const wire = wireOf(entry, place)
  const { supervision, client } = readTroupe(entry.troupe, place.at('troupe'), wire)
  const spec = wire === 'stdio' ? stdioSpec(entry, place, variables.folder) : httpSpec(entry, place)
  complainingAt(place, () => {
    if ('url' in spec) checkHttpOptions({ ...client, ...spec })
    else checkStdioOptions({ ...client, ...spec })
  })
  const envFile = optional(text, entry, 'envFile', place)
  return {
    server: { name, spec, supervision, client, secrets: [...filled, ...secretsIn(spec)] },
    ...(envFile !== undefined && { envFile: resolve(variables.folder, envFile) }),
  }
}

function wireOf(entry: Entry, place: Place): WireKind {
  const isCommand = entry.command !== undefined
  const isUrl = entry.url !== undefined
  if (isCommand && isUrl) throw place.at('url').bad('stands beside a command; a server has one of them')
  if (!isCommand && !isUrl)
    throw place.bad(
      `needs a command to run or a url to talk to; it has ${Object.keys(entry).join(', ') || 'nothing'}`,
    )
  const wire = isUrl ? 'http' : 'stdio'
  const type = optional(oneOfTypes, entry, 'type', place)
  if (type !== undefined && (type === 'stdio') !== isCommand)
    throw place.at('type').bad(isUrl ? 'must be http or sse beside a url' : 'must be stdio beside a command')
  const stray = (isUrl ? stdioKeys : httpKeys).find((key) => entry[key] !== undefined)
  if (stray)
    throw place
      .at(stray)
      .bad(isUrl ? 'belongs to a command, not to a url' : 'belongs to a url, not to a command')
  return wire
}

function stdioSpec(entry: Entry, place: Place, folder: string): ServerSpec {
  const cwd = optional(text, entry, 'cwd', place)
  return {
    command: text(entry.command, place.at('command')),
    args: optional(listOf(anyText), entry, 'args', place) ?? [],
    env: optional(mapOf(variable), entry, 'env', place) ?? {},
    cwd: resolve(folder, cwd ?? '.'),
  }
}

function httpSpec(entry: Entry, place: Place): ServerSpec {
  return {
    url: text(entry.url, place.at('url')),
    headers: optional(mapOf(anyText), entry, 'headers', place) ?? {},
    ...(entry.auth !== undefined && { auth: object(entry.auth, place.at('auth')) }),
  }
}

function secretsIn(spec: ServerSpec): readonly string[] {
  return 'url' in spec ? [...secretsOf(spec), ...secretsInAuth(spec.auth ?? {})] : secretsOf(spec)
}

function optional<Value>(read: Read<Value>, entry: Entry, key: string, place: Place): Value | undefined {
  return entry[key] === undefined ? undefined : read(entry[key], place.at(key))
}

/** Editors write ports as numbers. */
const variable: Read<string> = (value, place) =>
  typeof value === 'number' ? String(value) : anyText(value, place)

/** Old servers of HTTP+SSE are found out by the client itself. */
const oneOfTypes: Read<string> = (value, place) => {
  const type = text(value, place)
  if (['stdio', ...httpTypes].includes(type)) return type
  throw place.bad(`must be one of stdio, ${httpTypes.join(', ')}`)
}

const httpTypes = ['http', 'sse', 'streamable-http', 'streamableHttp']
const stdioKeys = ['args', 'env', 'envFile', 'cwd']
const httpKeys = ['headers', 'auth']

/** What checks the options of a client knows them without the entry they stand in. */
function complainingAt(place: Place, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const [option = ''] = error.path
    throw (['url', ...httpKeys].includes(option) ? place : place.at('troupe')).holding(error)
  }
}
