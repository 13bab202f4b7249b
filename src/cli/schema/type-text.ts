import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { resolve } from './resolve.ts'

/** A JSON schema as a TypeScript type, on one line; short rather than complete: deep insides become `object`. */
export function typeText(schema: unknown, root: JsonObject, depth = 0): string {
  if (schema === false) return 'never'
  const resolved = resolve(schema, root)
  if (!resolved) return referenceName(schema) ?? 'unknown'
  const { anyOf, oneOf, allOf, type } = resolved
  if ('const' in resolved) return literal(resolved.const)
  if (Array.isArray(resolved.enum)) return union(resolved.enum.map(literal))
  const choices = anyOf ?? oneOf
  if (Array.isArray(choices)) return union(few(choices, (choice) => inside(choice, root, depth)))
  if (Array.isArray(type)) return union(few(type, (one) => typeText({ ...resolved, type: one }, root, depth)))
  if (Array.isArray(allOf) && type === undefined && allOf.length > 0)
    return few(allOf, (part) => operand(inside(part, root, depth))).join(' & ')
  return simpleText(resolved, root, depth)
}

/** `name: type`, `name?: type`, or `name: type = default`. */
function memberText(name: string, schema: unknown, isRequired: boolean, root: JsonObject, depth = 0): string {
  const type = typeText(schema, root, depth)
  const fallback = depth === 0 ? defaultText(schema, root) : undefined
  const key = /^[A-Za-z_$][\w$-]*$/.test(name) ? name : JSON.stringify(name)
  if (!isRequired && fallback !== undefined) return `${key}: ${type} = ${fallback}`
  return `${key}${isRequired ? '' : '?'}: ${type}`
}

/** The members of an object schema, each as `memberText`. */
export function memberTexts(schema: JsonObject, root: JsonObject, depth = 0): string[] {
  const { properties, required } = schema
  const names = new Set(Array.isArray(required) ? required : [])
  const members = isObject(properties) ? properties : {}
  const text = (name: string) => memberText(name, members[name], names.has(name), root, depth)
  return depth === 0 ? Object.keys(members).map(text) : few(Object.keys(members), text)
}

function simpleText(schema: JsonObject, root: JsonObject, depth: number): string {
  const { type, items, prefixItems, properties, additionalProperties } = schema
  if (type === 'array' || (type === undefined && (items || prefixItems))) {
    const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined
    if (tuple) return `[${few(tuple, (item) => inside(item, root, depth)).join(', ')}]`
    return `${operand(items === undefined ? 'unknown' : inside(items, root, depth))}[]`
  }
  if (type === 'object' || (type === undefined && properties)) {
    if (depth >= deepest) return 'object'
    const members = memberTexts(schema, root, depth + 1)
    if (members.length > 0) return `{ ${members.join(', ')} }`
    return isObject(additionalProperties)
      ? `Record<string, ${inside(additionalProperties, root, depth)}>`
      : 'object'
  }
  return typeof type === 'string' ? type : 'unknown'
}

/** Not more: schemas may refer to each other, and a thousand at each of three levels are a billion. */
function few<Item>(items: readonly Item[], text: (item: Item) => string): string[] {
  const shown = items.slice(0, mostMembers).map(text)
  return items.length > mostMembers ? [...shown, '…'] : shown
}

function inside(schema: unknown, root: JsonObject, depth: number): string {
  return depth >= deepest + 2 ? 'unknown' : typeText(schema, root, depth + 1)
}

function union(members: readonly string[]): string {
  const distinct = [...new Set(members)]
  const shown = distinct.length > mostMembers ? [...distinct.slice(0, mostMembers), '…'] : distinct
  return shown.join(' | ')
}

/** In parentheses where a `[]` or `&` would bind to its last part only. */
function operand(type: string): string {
  let depth = 0
  let isQuoted = false
  for (const [index, character] of [...type].entries()) {
    if (character === "'" && type[index - 1] !== '\\') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if ('{[('.includes(character)) depth += 1
    else if ('}])'.includes(character)) depth -= 1
    else if ('|&'.includes(character) && depth === 0) return `(${type})`
  }
  return type
}

function literal(value: unknown): string {
  return typeof value === 'string'
    ? `'${value.replaceAll(/['\\]/g, '\\$&')}'`
    : (JSON.stringify(value) ?? 'unknown')
}

/** Only what is short enough to be worth reading. */
function defaultText(schema: unknown, root: JsonObject): string | undefined {
  const own = isObject(schema) && schema.default !== undefined ? schema : resolve(schema, root)
  const text = own?.default === undefined ? undefined : literal(own.default)
  return text !== undefined && text.length <= longestDefault ? text : undefined
}

function referenceName(schema: unknown): string | undefined {
  const reference = isObject(schema) ? schema.$ref : undefined
  return typeof reference === 'string' ? reference.split(/[/#]/).findLast((part) => part !== '') : undefined
}

const deepest = 2
const mostMembers = 10
const longestDefault = 40
