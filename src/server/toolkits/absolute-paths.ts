import { resolve } from 'node:path'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'

/** A configuration whose paths, as its schema says, are absolute: strings of `format: 'path'`, by themselves or in a list. */
export function absolutePaths(schema: JsonObject, config: JsonObject, folder: string): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const members = Object.entries(config).map(([key, value]) => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined
    return [key, isObject(property) ? absolute(property, value, folder) : value]
  })
  return Object.fromEntries(members)
}

function absolute({ format, items }: JsonObject, value: unknown, folder: string): unknown {
  if (typeof value === 'string' && format === 'path') return resolve(folder, value)
  return Array.isArray(value) && isObject(items) ? value.map((item) => absolute(items, item, folder)) : value
}
