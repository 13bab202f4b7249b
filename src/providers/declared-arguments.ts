import { isObject, type JsonObject } from '../protocol/json-rpc.ts'
import { reasonParam } from './reasons.ts'

/** The arguments that a tool's schema names; empty where it says nothing of them. */
export function declaredArguments(schema: JsonObject | undefined): readonly string[] {
  return isObject(schema?.properties) ? Object.keys(schema.properties) : []
}

/** The same where nothing else of the schema may speak of more of them; else undefined. */
export function allDeclaredArguments(schema: JsonObject | undefined): ReadonlySet<string> | undefined {
  const names = declaredArguments(schema)
  const saysNothing = names.every((name) => name === reasonParam)
  const isOpen = saysNothing || elsewhere.some((keyword) => Object.hasOwn(schema ?? {}, keyword))
  return isOpen ? undefined : new Set(names)
}

const elsewhere = [
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'dependentSchemas',
  'patternProperties',
]
