import { type ClientOptions, httpOptionNames, stdioOptionNames } from '../client/options.ts'
import type { Supervision } from './config.ts'
import type { Place } from './place.ts'
import {
  count,
  flag,
  listOf,
  milliseconds,
  numberFrom,
  object,
  oneOf,
  type Readers,
  record,
  text,
  unknownKey,
} from './readers.ts'

export type WireKind = 'stdio' | 'http'

/** `troupe` of a server, in its two parts. Undefined is none. The values of client options are checked by the client. @throws ConfigError */
export function readTroupe(
  value: unknown,
  place: Place,
  wire: WireKind,
): { readonly supervision: Supervision; readonly client: ClientOptions } {
  const entries = value === undefined ? [] : Object.entries(object(value, place))
  const clientKeys = clientOptionsOf(wire)
  const known = [...Object.keys(supervisionReaders), ...clientKeys]
  for (const [key] of entries) if (!known.includes(key)) throw place.at(key).bad(unknownKey(key, known))
  const isClients = ([key]: readonly [string, unknown]) => clientKeys.includes(key)
  return {
    supervision: readSupervision(Object.fromEntries(entries.filter((entry) => !isClients(entry))), place),
    client: Object.fromEntries(entries.filter(isClients)),
  }
}

/** Those that are data and do not stand in the entry itself. */
function clientOptionsOf(wire: WireKind): readonly string[] {
  const names = wire === 'stdio' ? stdioOptionNames : httpOptionNames
  return names.filter((name) => !/^on[A-Z]/.test(name) && !elsewhere.includes(name))
}

const elsewhere = ['transport', 'inspect', 'command', 'args', 'env', 'cwd', 'url', 'headers', 'auth']

const supervisionReaders: Readers<Supervision> = {
  prefix: text,
  restart: oneOf('permanent', 'transient', 'temporary'),
  maxRestarts: count,
  withinMs: milliseconds,
  backoff: record({
    initialMs: milliseconds,
    factor: numberFrom(1),
    maxMs: milliseconds,
    jitter: numberFrom(0, 1),
  }),
  start: oneOf('eager', 'lazy'),
  idleStopMs: milliseconds,
  downWaitMs: milliseconds,
  retryReads: flag,
  allow: listOf(text),
  deny: listOf(text),
}

const readSupervision = record<Supervision>(supervisionReaders)
