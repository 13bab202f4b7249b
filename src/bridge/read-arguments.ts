import { isObject, type JsonObject } from '../protocol/json-rpc.ts'
import { thrownMessage } from '../thrown-message.ts'

export type ArgumentsReading = { readonly arguments: JsonObject } | { readonly complaint: string }

/** A model's arguments: an object, or its JSON text. The empty string, which models send to tools that take none, is no arguments. */
export function readArguments(given: unknown): ArgumentsReading {
  if (given === '') return { arguments: {} }
  if (typeof given !== 'string') return readObject(given)
  try {
    return readObject(JSON.parse(given))
  } catch (error) {
    return { complaint: `its arguments are not JSON: ${thrownMessage(error)}` }
  }
}

function readObject(value: unknown): ArgumentsReading {
  return isObject(value)
    ? { arguments: value }
    : { complaint: `its arguments must be a JSON object, not ${kindOf(value)}` }
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`
}
