import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../../../protocol/json-rpc.ts'
import { annotationsOf, isAnnotation } from './dialect.ts'
import { type Draft, type Repaired, tell } from './draft.ts'
import { intersect, mostParts } from './intersect.ts'

type OnLoss = (keyword: string) => void

/** An object schema without unions at its own level, that takes every object the given one takes. False: it takes none. */
export function flatten(schema: JsonObject, onLoss: OnLoss): Repaired {
  const { anyOf, oneOf, allOf, not, enum: values, const: value, ...rest } = schema
  if (rest.type !== undefined && ![rest.type].flat().includes('object')) return false
  for (const [keyword, lost] of Object.entries({ not, enum: values, const: value }))
    if (lost !== undefined) onLoss(keyword)
  let flat: Repaired = { ...rest, type: 'object' }
  const parts = listOf(allOf)
  if (parts.length > mostParts) onLoss('allOf')
  for (const part of parts.slice(0, mostParts)) flat = both(flat, flatten(part, onLoss), onLoss)
  for (const union of [anyOf, oneOf]) {
    if (union === undefined) continue
    const branches = listOf(union).map((branch) => flatten(branch, onLoss))
    flat = both(
      flat,
      unite(
        branches.filter((branch) => branch !== false),
        onLoss,
      ),
      onLoss,
    )
  }
  return flat
}

function both(first: Repaired, second: Repaired, onLoss: OnLoss): Repaired {
  return first !== false && second !== false && intersect(first, second, onLoss)
}

/** One object schema for whatever one of these takes. */
function unite(branches: readonly JsonObject[], onLoss: OnLoss): Repaired {
  const [only] = branches
  if (only === undefined) return false
  if (branches.every((branch) => isDeepStrictEqual(branch, only))) return only
  onLoss('a union')
  const names = new Set(
    branches.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : [])),
  )
  if (branches.length * Math.max(names.size, branches.length) > mostPlaces) return { type: 'object' }
  const required = listOfNames(only).filter((name) =>
    branches.every((branch) => listOfNames(branch).includes(name)),
  )
  const isClosed = branches.every(
    ({ additionalProperties, patternProperties }) =>
      additionalProperties === false && patternProperties === undefined,
  )
  const united: Draft = {
    type: 'object',
    properties: Object.fromEntries([...names].map((name) => [name, uniteProperty(name, branches)])),
    ...(required.length > 0 && { required }),
    ...(isClosed && { additionalProperties: false }),
  }
  const choices = branches.map((branch) => listOfNames(branch).filter((name) => !required.includes(name)))
  if (choices.every((choice) => choice.length > 0))
    tell(united, `needs one of: ${choices.map((choice) => choice.join(' with ')).join('; ')}`)
  return united
}

function uniteProperty(name: string, branches: readonly JsonObject[]): JsonObject {
  const found = branches.map((branch) => propertyOf(branch, name)).filter((property) => property !== false)
  const distinct = found.filter(
    (property, index) => found.findIndex((other) => isDeepStrictEqual(property, other)) === index,
  )
  const open = distinct.some((property) => Object.keys(property).every(isAnnotation))
  const telling = distinct.filter((property) => Object.keys(property).length > 0)
  const [first = {}] = telling
  if (distinct.length < 2) return first
  if (open) {
    const described: Draft = { ...annotationsOf(first) }
    const constraints = Object.fromEntries(
      Object.entries(first).filter(([keyword]) => !isAnnotation(keyword)),
    )
    if (Object.keys(constraints).length > 0) tell(described, `usually ${JSON.stringify(constraints)}`)
    return described
  }
  return uniteValues(distinct) ?? { anyOf: distinct }
}

/** The schema one branch has for a property; `{}` where it takes anything there, false where it takes nothing. */
function propertyOf(
  { properties, patternProperties, additionalProperties }: JsonObject,
  name: string,
): Repaired {
  const own = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
  if (isObject(own)) return own
  if (patternProperties !== undefined || additionalProperties === undefined) return {}
  if (additionalProperties === false) return false
  return isObject(additionalProperties) ? additionalProperties : {}
}

/** Listed values of several schemas as one list, as a discriminator has them. */
function uniteValues(schemas: readonly JsonObject[]): JsonObject | undefined {
  const [first] = schemas
  const isList = schemas.every(
    (schema) =>
      schema.type === first?.type &&
      ('const' in schema || 'enum' in schema) &&
      Object.keys(schema).every(
        (keyword) => isAnnotation(keyword) || ['type', 'const', 'enum'].includes(keyword),
      ),
  )
  if (first === undefined || !isList) return undefined
  const values = schemas.flatMap((schema) => ('const' in schema ? [schema.const] : schema.enum))
  const distinct = values.filter(
    (value, index) => values.findIndex((other) => isDeepStrictEqual(value, other)) === index,
  )
  const { const: _, ...rest } = first
  return { ...rest, enum: distinct }
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function listOfNames({ required }: JsonObject): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

/** Of properties in branches, each compared with its like in all others. Far from any that a person wrote. */
const mostPlaces = 100_000
