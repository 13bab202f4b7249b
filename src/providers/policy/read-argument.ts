import type { JsonObject } from '../../protocol/json-rpc.ts'

/** Which arguments a tool says it takes; undefined where it does not say. */
export type Declared = ReadonlySet<string> | undefined

/**
 * An argument as its tool reads it. Undefined: it is not there. Null: nobody can say what the tool reads, since it never declared the
 * argument, or since another one differs in case alone, which some readers of JSON take for the same.
 */
export function readArgument(args: JsonObject, name: string, declared?: Declared): unknown {
  let isAlone = true
  for (const key in args) if (key !== name && isAlike(key, name) && Object.hasOwn(args, key)) isAlone = false
  if (!isAlone) return null
  if (!Object.hasOwn(args, name) || args[name] === undefined) return undefined
  return declared && !declared.has(name) ? null : args[name]
}

function isAlike(key: string, name: string): boolean {
  return key.length === name.length && folded(key) === folded(name)
}

/** Both ways: `ſ` is an `s` only in capitals, the sign of the kelvin a `k` only in small letters. */
function folded(name: string): string {
  return name.toUpperCase().toLowerCase()
}
