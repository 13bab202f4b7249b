import { isObject, type JsonObject } from '../../../protocol/json-rpc.ts'
import { Changes } from './changes.ts'
import type { Dialect } from './dialect.ts'
import { repairSchema } from './repair-schema.ts'
import { flatten } from './unite.ts'

/** A tool's parameters as a vendor takes them, and what that changed; or why there can be none. */
export type RepairedParameters =
  | { readonly kind: 'repaired'; readonly parameters: JsonObject; readonly changes: readonly string[] }
  | { readonly kind: 'unusable'; readonly reason: string }

/**
 * Repairs the schema of a tool's arguments: every object that was valid is valid under what comes of it. Pure, for any
 * input; what can be said only in part becomes wider, and what cannot be said becomes words of a description.
 */
export function repairParameters(parameters: unknown, dialect: Dialect): RepairedParameters {
  if (parameters === false) return unusable('its schema is false')
  const changes = new Changes()
  if (!isObject(parameters)) changes.respelled('', 'was no schema and takes any object')
  const given = isObject(parameters) ? parameters : {}
  const repaired = repairSchema(given, dialect, changes)
  if (repaired === false) return unusable('no arguments can be valid')
  const unions = ['anyOf', 'oneOf'].filter((keyword) => keyword in repaired)
  const flat = flatten(repaired, (keyword) => changes.widened('', `${keyword} was simplified`))
  if (flat === false) return unusable('its arguments are no object')
  for (const keyword of unions) changes.respelled('', `${keyword} was merged into one object`)
  if (!('type' in given)) changes.respelled('', 'type object was missing')
  if (!isObject(flat.properties)) changes.respelled('', 'properties was missing')
  const { type, properties, ...rest } = flat
  return {
    kind: 'repaired',
    parameters: { type, properties: properties ?? {}, ...rest },
    changes: changes.texts,
  }
}

function unusable(reason: string): RepairedParameters {
  return { kind: 'unusable', reason }
}
