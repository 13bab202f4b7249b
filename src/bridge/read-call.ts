import { isObject, type JsonObject } from '../protocol/json-rpc.ts'
import { readArguments } from './read-arguments.ts'

/** A call that can be made. */
export interface ReadyCall {
  readonly id: string
  readonly name: string
  readonly arguments: JsonObject
  readonly meta: JsonObject | undefined
}

export type CallReading =
  | { readonly kind: 'ready'; readonly call: ReadyCall }
  /** `name` is there when the call says which tool it means. */
  | {
      readonly kind: 'malformed'
      readonly id: string
      readonly name: string | undefined
      readonly complaint: string
    }

/** Reads what a model asked for, whatever it is. Never throws. */
export function readCall(given: unknown): CallReading {
  if (!isObject(given)) return malformed('', undefined, 'a call must be an object with `id` and `function`')
  const { id, function: wanted, meta } = given
  const knownId = typeof id === 'number' ? String(id) : typeof id === 'string' ? id : ''
  const name = isObject(wanted) && typeof wanted.name === 'string' ? wanted.name : undefined
  if (typeof id !== 'string') return malformed(knownId, name, 'its `id` must be a string')
  if (!isObject(wanted))
    return malformed(id, undefined, 'its `function` must be an object with `name` and `arguments`')
  if (name === undefined) return malformed(id, undefined, 'its `function.name` must be a string')
  if (meta !== undefined && !isObject(meta)) return malformed(id, name, 'its `meta` must be an object')
  const reading = readArguments(wanted.arguments)
  if ('complaint' in reading) return malformed(id, name, reading.complaint)
  return { kind: 'ready', call: { id, name, arguments: reading.arguments, meta } }
}

/** Under which id whatever was given in place of a call is answered; '' where it has none. */
export function idOf(given: unknown): string {
  const reading = readCall(given)
  return reading.kind === 'ready' ? reading.call.id : reading.id
}

/** What a model reads of a call that was not made. */
export function malformedText({ name, complaint }: Extract<CallReading, { kind: 'malformed' }>): string {
  const advice =
    name === undefined
      ? 'Name one of the tools, and give it a JSON object of arguments.'
      : 'Call it again with one JSON object that fits its parameters.'
  return `The call${name === undefined ? '' : ` of ${name}`} was not made: ${complaint}. ${advice}`
}

function malformed(id: string, name: string | undefined, complaint: string): CallReading {
  return { kind: 'malformed', id, name, complaint }
}
