import { resolve } from 'node:path'
import type { Settings } from './config.ts'
import type { Place } from './place.ts'
import { flag, listOf, mapOf, object, record, text } from './readers.ts'
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

const readMembers = record<Omit<Settings, 'floor'> & { floor?: boolean }>({
  rules: listOf(object),
  roots: mapOf(text),
  grantsFile: text,
  floor: flag,
})
