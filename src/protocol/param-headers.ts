import { headerValue } from './header-values.ts'
import { isObject, type JsonObject } from './json-rpc.ts'

/** One argument a server wants mirrored: `x-mcp-header` on a property of the input schema. */
export interface ParamHeader {
  readonly name: string
  /** From the root of the arguments. */
  readonly path: readonly string[]
}

/** What a schema annotates, or why the tool must not be used over HTTP. */
export type ParamHeaders = { readonly headers: readonly ParamHeader[] } | { readonly complaint: string }

const annotation = 'x-mcp-header'
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const mirrorable: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])
/** Keywords whose values are data, and those that map names to schemas. */
const dataKeywords: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples'])
const mapKeywords: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'patternProperties',
  'dependentSchemas',
])
const deepest = 64

export function readParamHeaders(inputSchema: JsonObject): ParamHeaders {
  const headers: ParamHeader[] = []
  const complaint = visit(inputSchema, [], true, headers, 0)
  if (complaint !== undefined) return { complaint }
  const names = headers.map(({ name }) => name.toLowerCase())
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  return repeated === undefined ? { headers } : { complaint: `${annotation} names ${repeated} twice` }
}

/** The `Mcp-Param-*` headers of one call's arguments; absent and null values have none. */
export function paramHeaders(
  headers: readonly ParamHeader[],
  args: unknown,
): { readonly [name: string]: string } {
  const mirrored: { [name: string]: string } = {}
  for (const { name, path } of headers) {
    const text = mirror(valueAt(args, path))
    if (text !== undefined) mirrored[`Mcp-Param-${name}`] = text
  }
  return mirrored
}

/** Walks every subschema: an annotation counts only where plain `properties` lead to it, and is a fault anywhere else. */
function visit(
  schema: unknown,
  path: readonly string[],
  isReachable: boolean,
  found: ParamHeader[],
  depth: number,
): string | undefined {
  if (depth > deepest) return `the input schema is nested deeper than ${deepest}`
  if (Array.isArray(schema)) return firstOf(schema, (entry) => visit(entry, path, false, found, depth + 1))
  if (!isObject(schema)) return undefined
  if (Object.hasOwn(schema, annotation)) {
    const complaint = check(schema, path, isReachable)
    if (complaint !== undefined) return complaint
    found.push({ name: String(schema[annotation]), path })
  }
  return firstOf(Object.entries(schema), ([keyword, value]) => {
    if (dataKeywords.has(keyword) || keyword === annotation) return undefined
    const isProperties = keyword === 'properties' && isObject(value)
    if (isProperties) {
      return firstOf(Object.entries(value), ([name, property]) =>
        visit(property, [...path, name], isReachable, found, depth + 1),
      )
    }
    const isMap = mapKeywords.has(keyword) && isObject(value)
    return visit(isMap ? Object.values(value) : value, path, false, found, depth + 1)
  })
}

function check(schema: JsonObject, path: readonly string[], isReachable: boolean): string | undefined {
  const where = path.join('.') || 'the root'
  const name = schema[annotation]
  if (!isReachable || path.length === 0) return `${annotation} at ${where} is not reached by properties alone`
  if (typeof name !== 'string' || !token.test(name))
    return `${annotation} of ${where} is no header name: ${JSON.stringify(name)}`
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => type !== 'null')
  const isMirrorable = types.length === 1 && mirrorable.has(types[0])
  return isMirrorable
    ? undefined
    : `${annotation} of ${where} needs type string, integer or boolean, not ${JSON.stringify(schema.type)}`
}

/** The argument such a header mirrors. */
export function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return value
}

function mirror(value: unknown): string | undefined {
  if (typeof value === 'string') return headerValue(value)
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value)
  return undefined
}

function firstOf<Item>(
  items: readonly Item[],
  complain: (item: Item) => string | undefined,
): string | undefined {
  for (const item of items) {
    const complaint = complain(item)
    if (complaint !== undefined) return complaint
  }
  return undefined
}
