import { resolve } from 'node:path'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { isObject } from '../protocol/json-rpc.ts'
import type { Settings } from './config.ts'
import type { Place } from './place.ts'
import { flag, listOf, mapOf, object, type Read, record, text } from './readers.ts'
import { fillIn, type Variables } from './variables.ts'

/** `troupe` at the top level; undefined is none. @throws ConfigError */
export function readSettings(value: unknown, place: Place, variables: Variables): Settings {
  const {
    roots,
    grantsFile,
    floor = true,
    ...settings
  } = value === undefined ? {} : readMembers(fillIn(value, place, variables), place)
  const absolute = (path: string) => resolve(variables.folder, path)
  return {
    ...settings,
    ...(roots && {
      roots: Object.fromEntries(Object.entries(roots).map(([prefix, path]) => [prefix, absolute(path)])),
    }),
    ...(grantsFile !== undefined && { grantsFile: absolute(grantsFile) }),
    floor,
  }
}

const leases: Read<boolean | JsonObject> = (value, place) => {
  if (typeof value === 'boolean') return value
  if (isObject(value)) return value
  throw place.bad('must be true, false or an object of options')
}

const readMembers = record<Omit<Settings, 'floor'> & { floor?: boolean }>({
  rules: listOf(object),
  roots: mapOf(text),
  grantsFile: text,
  leases,
  floor: flag,
})
