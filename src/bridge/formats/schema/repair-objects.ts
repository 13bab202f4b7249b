import { isObject, type JsonObject } from '../../../protocol/json-rpc.ts'
import { asObject, type Draft, type Repaired } from './draft.ts'
import type { Place } from './place.ts'

/** The keywords of objects. False: no value can be valid. */
export function repairObjects(schema: JsonObject, draft: Draft, place: Place): boolean {
  const properties = repairProperties(schema, place)
  const patterns = repairPatternProperties(schema, draft, place)
  repairAdditional(schema, draft, place, properties, patterns)
  const required = readRequired(schema, place)
  if ([...required].some((name) => properties?.get(name) === false) && draft.type === 'object') return false
  const shown = defineRequired(properties, required, draft, place)
  if (required.size > 0) draft.required = [...required]
  const isObjectType = [draft.type].flat().includes('object')
  if (shown !== undefined) draft.properties = Object.fromEntries(shown)
  else if (isObjectType && place.dialect.needs.properties) {
    place.changes.respelled(place.path, 'properties was missing')
    draft.properties = {}
  }
  repairDependencies(schema, draft, place)
  if (schema.propertyNames !== undefined) keep('propertyNames', schema.propertyNames, draft, place)
  return true
}

function repairProperties(
  { properties }: JsonObject,
  { changes, path, inside }: Place,
): ReadonlyMap<string, Repaired> | undefined {
  if (properties === undefined) return undefined
  if (!isObject(properties)) {
    changes.widened(path, 'properties was no object and was dropped')
    return undefined
  }
  return new Map(
    Object.entries(properties).map(([name, property]) => [
      name,
      inside(property, `properties/${escaped(name)}`, 1),
    ]),
  )
}

/** Undefined: there are some that could not be kept. */
function repairPatternProperties(
  { patternProperties }: JsonObject,
  draft: Draft,
  { dialect, changes, path, inside }: Place,
): JsonObject | undefined {
  if (patternProperties === undefined) return {}
  const isFine =
    isObject(patternProperties) &&
    dialect.keywords.has('patternProperties') &&
    Object.keys(patternProperties).every(dialect.takesPattern)
  if (!isFine) {
    changes.widened(path, 'patternProperties was dropped')
    return undefined
  }
  const repaired = Object.entries(patternProperties).map(
    ([pattern, property]) =>
      [pattern, asObject(inside(property, `patternProperties/${escaped(pattern)}`, 1))] as const,
  )
  draft.patternProperties = Object.fromEntries(repaired)
  return patternProperties
}

function repairAdditional(
  { additionalProperties }: JsonObject,
  draft: Draft,
  { dialect, changes, path, inside }: Place,
  properties: ReadonlyMap<string, Repaired> | undefined,
  patterns: JsonObject | undefined,
): void {
  const forbidden = [...(properties ?? [])].filter(([, property]) => property === false)
  const isClosed =
    additionalProperties === false && patterns !== undefined && Object.keys(patterns).length === 0
  if (forbidden.length > 0 && !isClosed)
    changes.widened(
      path,
      `properties that take nothing were dropped: ${forbidden.map(([name]) => name).join(', ')}`,
    )
  if (additionalProperties === undefined || additionalProperties === true) return
  if (patterns === undefined || !dialect.keywords.has('additionalProperties')) {
    changes.widened(path, 'additionalProperties was dropped')
    return
  }
  draft.additionalProperties =
    additionalProperties === false ? false : inside(additionalProperties, 'additionalProperties', 1)
}

function readRequired({ required }: JsonObject, { changes, path }: Place): ReadonlySet<string> {
  // Until draft 3 a property said it of itself.
  if (required === undefined || typeof required === 'boolean') return new Set()
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
  if (!Array.isArray(required) || names.length < required.length)
    changes.widened(path, 'required was no list of names')
  return new Set(names)
}

/** Vendors refuse a required property that is not declared: it is declared to be anything. */
function defineRequired(
  properties: ReadonlyMap<string, Repaired> | undefined,
  required: ReadonlySet<string>,
  draft: Draft,
  { changes, path }: Place,
): ReadonlyMap<string, JsonObject> | undefined {
  const shown = new Map<string, JsonObject>()
  for (const [name, property] of properties ?? []) if (property !== false) shown.set(name, property)
  for (const name of required) {
    if (shown.has(name)) continue
    const isClosed = draft.additionalProperties === false
    if (isClosed) changes.widened(path, `required property ${name} was not declared`)
    else changes.respelled(path, `required property ${name} was not declared`)
    shown.set(name, isObject(draft.additionalProperties) ? draft.additionalProperties : {})
  }
  return properties === undefined && shown.size === 0 ? undefined : shown
}

function repairDependencies(schema: JsonObject, draft: Draft, place: Place): void {
  const { dialect, changes, path } = place
  const { dependencies, dependentRequired, dependentSchemas } = schema
  if (dependencies !== undefined) changes.widened(path, 'dependencies was dropped')
  if (dependentRequired !== undefined) {
    const isFine =
      dialect.keywords.has('dependentRequired') &&
      isObject(dependentRequired) &&
      Object.values(dependentRequired).every(isListOfNames)
    if (isFine) draft.dependentRequired = dependentRequired
    else changes.widened(path, 'dependentRequired was dropped')
  }
  if (dependentSchemas === undefined) return
  if (!isObject(dependentSchemas) || !dialect.keywords.has('dependentSchemas')) {
    changes.widened(path, 'dependentSchemas was dropped')
    return
  }
  draft.dependentSchemas = Object.fromEntries(
    Object.entries(dependentSchemas).map(([name, dependent]) => [
      name,
      asObject(place.inside(dependent, `dependentSchemas/${escaped(name)}`, 0)),
    ]),
  )
}

function keep(
  keyword: string,
  schema: unknown,
  draft: Draft,
  { dialect, changes, path, inside }: Place,
): void {
  if (dialect.keywords.has(keyword)) draft[keyword] = asObject(inside(schema, keyword, 1))
  else changes.widened(path, `${keyword} was dropped`)
}

function isListOfNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
