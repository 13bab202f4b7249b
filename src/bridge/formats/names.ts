import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { ToolCall, ToolDeclaration } from '../provider.ts'

/**
 * The tools of which a vendor could not take every name, by the name it knows them by. Hand it to `callsFrom`: no name is
 * ever parsed.
 */
export type NameTable = ReadonlyMap<string, DeclaredNames>

export interface DeclaredNames {
  /** The name its provider knows the tool by. */
  readonly tool: string
  /** The arguments that had to be renamed: the provider's name by the vendor's. */
  readonly args: ReadonlyMap<string, string>
}

/** Names within a vendor's rules: those that fit stay, the others get one that nobody has. */
export function fitNames(names: readonly string[], rule: RegExp): ReadonlyMap<string, string> {
  const taken = new Set(names.filter((name) => rule.test(name)))
  const copies = new Map<string, number>()
  return new Map(
    names.map((name) => {
      if (taken.has(name) && rule.test(name)) return [name, name]
      const fitting = unused(name, taken, copies)
      taken.add(fitting)
      return [name, fitting]
    }),
  )
}

/** The call as its provider knows it. Arguments that are no JSON object stay as they are. */
export function declaredCall(call: ToolCall, names: NameTable): ToolCall {
  const declared = names.get(call.function.name)
  if (!declared) return call
  const given = call.function.arguments
  const args = declared.args.size === 0 ? given : renameKeys(asObject(given), declared.args)
  return { ...call, function: { name: declared.tool, arguments: args ?? given } }
}

/** The declaration as its provider made it, but for what its schema's repair changed. */
export function declaredTool(declaration: ToolDeclaration, names: NameTable): ToolDeclaration {
  const declared = names.get(declaration.function.name)
  if (!declared) return declaration
  const { parameters } = declaration.function
  return {
    ...declaration,
    function: {
      ...declaration.function,
      name: declared.tool,
      parameters: renameParameters(parameters, declared.args),
    },
  }
}

/** Renames the properties of an object schema, at its root. */
export function renameParameters(parameters: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const { properties, required } = parameters
  return {
    ...parameters,
    ...(isObject(properties) && { properties: renameKeys(properties, names) }),
    ...(Array.isArray(required) && { required: required.map((name) => names.get(name) ?? name) }),
  }
}

/** `copies`: how many of names that begin alike are known to be taken; else ten thousand of them would each try them all. */
function unused(name: string, taken: ReadonlySet<string>, copies: Map<string, number>): string {
  const plain = name.replaceAll(/\W/g, '_')
  const started = (/^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`).slice(0, longest)
  for (let copy = copies.get(started) ?? 1; ; copy += 1) {
    const end = copy === 1 ? '' : `_${copy}`
    const candidate = `${started.slice(0, longest - end.length)}${end}`
    if (taken.has(candidate)) continue
    copies.set(started, copy + 1)
    return candidate
  }
}

function renameKeys(
  object: JsonObject | undefined,
  names: ReadonlyMap<string, string>,
): JsonObject | undefined {
  return (
    object && Object.fromEntries(Object.entries(object).map(([key, value]) => [names.get(key) ?? key, value]))
  )
}

function asObject(given: string | JsonObject): JsonObject | undefined {
  if (typeof given !== 'string') return given
  try {
    const parsed: unknown = JSON.parse(given)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Of a name, with every vendor. */
const longest = 64
