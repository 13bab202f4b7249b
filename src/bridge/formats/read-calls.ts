import { ConfigError } from '../../errors.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import type { ToolCall } from '../provider.ts'
import type { VendorCall } from './format.ts'

/** Checks what a model called. A call without an id gets one that is unique in its message, the same every time. */
export function readCalls(calls: readonly VendorCall[]): readonly ToolCall[] {
  const nextId = idsBeside(calls.map(({ id }) => id))
  return calls.map(({ id, name, arguments: given, path }) => {
    if (typeof name !== 'string' || name === '')
      throw new ConfigError({ path: ['message', ...path], reason: 'a tool call must name its tool' })
    return { id: nextId(id), function: { name, arguments: readArguments(given) } }
  })
}

/** Answers a given id as it is, and none with `call_<n>`. */
export function idsBeside(given: readonly unknown[]): (id: unknown) => string {
  const taken = new Set(given)
  let index = 0
  return (id) => {
    index += 1
    if (typeof id === 'string' && id !== '') return id
    let made = `call_${index}`
    while (taken.has(made)) made = `${made}_`
    taken.add(made)
    return made
  }
}

/** What is neither an object nor text goes on as its JSON text, for whoever checks it to refuse. */
function readArguments(given: unknown): ToolCall['function']['arguments'] {
  if (given === undefined || given === null) return ''
  return typeof given === 'string' || isObject(given) ? given : JSON.stringify(given)
}
