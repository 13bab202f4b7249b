import type { JsonObject } from '../../../protocol/json-rpc.ts'

/** What one vendor takes of JSON Schema 2020-12. Whatever the dialect, the root is a plain object schema and references are inlined. */
export interface Dialect {
  /** What it takes of `allKeywords`; the rest is dropped. */
  readonly keywords: ReadonlySet<string>
  /** The formats it takes; undefined: any. */
  readonly formats?: ReadonlySet<string>
  /** `any`, or only strings that are not empty. */
  readonly enums: 'any' | 'strings'
  /** Whether `type` may be a list. */
  readonly typeLists: boolean
  /** Whether an array schema must have `items`, and an object schema `properties`. */
  readonly needs: { readonly items: boolean; readonly properties: boolean }
  /** Whether its regular expressions can express a pattern. */
  readonly takesPattern: (pattern: string) => boolean
  /** How deep values may nest; below that anything goes. */
  readonly deepestLevel: number
  readonly toolName: RegExp
  /** The names that arguments may have; undefined: any. */
  readonly argumentName?: RegExp
}

/** Every keyword that constrains or describes; what is not among them means nothing to anybody, or depends on all the rest. */
const allKeywords = [
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['contentEncoding', 'contentMediaType'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'],
  ...['contains', 'minContains', 'maxContains'],
  ...['properties', 'patternProperties', 'additionalProperties'],
  ...['required', 'propertyNames', 'minProperties', 'maxProperties', 'dependentRequired', 'dependentSchemas'],
  ...['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else'],
] as const

type Keyword = (typeof allKeywords)[number]

export function keywords(...names: readonly Keyword[]): ReadonlySet<string> {
  return new Set(names)
}

export function allKeywordsBut(...names: readonly Keyword[]): ReadonlySet<string> {
  return new Set(allKeywords.filter((keyword) => !names.includes(keyword)))
}

const describing: ReadonlySet<string> = new Set(allKeywords.slice(0, 7))

/** The part of a schema that only describes. */
export function annotationsOf(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => describing.has(keyword)))
}

export function isAnnotation(keyword: string): boolean {
  return describing.has(keyword)
}
