import type { JsonObject } from '../../protocol/json-rpc.ts'

/** Which arguments a tool says it takes; undefined where it does not say. */
export type Declared = ReadonlySet<string> | undefined

/**
 * An argument as its tool reads it. Undefined: it is not there. Null: nobody can say what the tool reads, since it never declared the
 * argument, or since another one differs in case alone, which some readers of JSON take for the same. `names` are those of all.
 */
export function readArgument(
  args: JsonObject,
  name: string,
  declared?: Declared,
  names: readonly string[] = Object.keys(args),
): unknown {
  for (const key of names)
    if (key.length === name.length && key !== name && folded(key) === folded(name)) return null
  if (!Object.hasOwn(args, name) || args[name] === undefined) return undefined
  return declared && !declared.has(name) ? null : args[name]
}

/** Both ways: `ſ` is an `s` only in capitals, the sign of the kelvin a `k` only in small letters. */
function folded(name: string): string {
  return name.toUpperCase().toLowerCase()
}
