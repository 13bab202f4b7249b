import type { JsonObject } from '../../../protocol/json-rpc.ts'
import { shown } from './changes.ts'
import { annotationsOf } from './dialect.ts'
import { type Draft, tell } from './draft.ts'
import type { Place } from './place.ts'
import { repairEnum } from './repair-enum.ts'

/** `type`, `enum` and `const`, and the keywords of numbers and strings. */
export function repairValues(schema: JsonObject, draft: Draft, place: Place): void {
  copyAnnotations(schema, draft, place)
  copyType(schema, draft, place)
  repairEnum(schema, draft, place)
  copyBounds(schema, draft, place)
  copyCounts(schema, draft, place)
  copyTexts(schema, draft, place)
}

/** One schema a type, for a dialect without lists of them. */
export function splitTypes(schema: JsonObject, { dialect, changes, path }: Place): JsonObject {
  const { type, ...rest } = schema
  if (!Array.isArray(type) || dialect.typeLists) return schema
  if ('anyOf' in rest) {
    changes.widened(path, 'its list of types was dropped: its anyOf says it too')
    return rest
  }
  changes.respelled(path, 'its list of types became anyOf')
  const annotations = annotationsOf(rest)
  const constraints = Object.entries(rest).filter(([keyword]) => !(keyword in annotations))
  const alternatives = type.map((one: string) => ({
    type: one,
    ...Object.fromEntries(constraints.filter(([keyword]) => concerns(keyword, one))),
  }))
  return { ...annotations, anyOf: alternatives }
}

function copyAnnotations(schema: JsonObject, draft: Draft, { dialect }: Place): void {
  for (const [keyword, value] of Object.entries(annotationsOf(schema))) {
    const isText = keyword === 'title' || keyword === 'description'
    const fits = isText ? typeof value === 'string' : keyword !== 'examples' || Array.isArray(value)
    if (fits && dialect.keywords.has(keyword)) draft[keyword] = value
  }
}

function copyType({ type, nullable }: JsonObject, draft: Draft, { changes, path }: Place): void {
  if (type === undefined) return
  const given: readonly unknown[] = Array.isArray(type) ? type : [type]
  const known = [...new Set(given)].filter((one) => types.has(one))
  if (known.length === 0 || given.some((one) => !types.has(one))) {
    changes.widened(path, `type ${shown(type)} was dropped`)
    return
  }
  if (nullable === true && !known.includes('null')) {
    changes.respelled(path, 'nullable became type null')
    known.push('null')
  }
  draft.type = known.length === 1 ? known[0] : known
}

function copyBounds(schema: JsonObject, draft: Draft, { dialect, changes, path }: Place): void {
  const bounds: Draft = {}
  for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']) {
    const value = schema[keyword]
    if (value === undefined || typeof value === 'boolean') continue
    if (typeof value !== 'number' || (keyword === 'multipleOf' && value <= 0))
      changes.widened(path, `${keyword} ${shown(value)} was dropped`)
    else bounds[keyword] = value
  }
  for (const [exclusive, inclusive] of edges) {
    if (typeof schema[exclusive] !== 'boolean') continue
    changes.respelled(path, `${exclusive} became a number`)
    if (schema[exclusive] !== true || typeof bounds[inclusive] !== 'number') continue
    bounds[exclusive] = bounds[inclusive]
    delete bounds[inclusive]
  }
  for (const [exclusive, inclusive, step] of edges) {
    const edge = bounds[exclusive]
    if (typeof edge !== 'number' || dialect.keywords.has(exclusive)) continue
    const isWhole = draft.type === 'integer' && Number.isSafeInteger(edge + step)
    if (isWhole) changes.respelled(path, `${exclusive} became ${inclusive}`)
    else changes.widened(path, `${exclusive} became ${inclusive}`)
    const within = isWhole ? edge + step : edge
    const given = bounds[inclusive]
    const isTighter = typeof given === 'number' && (given - within) * step > 0
    bounds[inclusive] = isTighter ? given : within
    delete bounds[exclusive]
  }
  copyKnown(bounds, draft, { dialect, changes, path })
}

function copyCounts(schema: JsonObject, draft: Draft, place: Place): void {
  const counts: Draft = {}
  for (const keyword of countKeywords) {
    const value = schema[keyword]
    if (value === undefined) continue
    if (Number.isSafeInteger(value) && Number(value) >= 0) counts[keyword] = value
    else place.changes.widened(place.path, `${keyword} ${shown(value)} was dropped`)
  }
  if (schema.uniqueItems === true) counts.uniqueItems = true
  copyKnown(counts, draft, place)
}

function copyTexts(schema: JsonObject, draft: Draft, place: Place): void {
  const { dialect, changes, path } = place
  const { format, pattern } = schema
  if (typeof format === 'string') {
    if (dialect.keywords.has('format') && (dialect.formats?.has(format) ?? true)) draft.format = format
    else {
      changes.widened(path, `format ${format} was dropped`)
      tell(draft, `format: ${format}`)
    }
  }
  for (const keyword of ['contentEncoding', 'contentMediaType'])
    if (typeof schema[keyword] === 'string') copyKnown({ [keyword]: schema[keyword] }, draft, place)
  if (pattern === undefined) return
  if (typeof pattern === 'string' && dialect.keywords.has('pattern') && dialect.takesPattern(pattern)) {
    draft.pattern = pattern
    return
  }
  changes.widened(path, 'pattern was dropped')
  if (typeof pattern === 'string') tell(draft, `pattern: ${pattern}`)
}

function copyKnown(
  values: Draft,
  draft: Draft,
  { dialect, changes, path }: Pick<Place, 'dialect' | 'changes' | 'path'>,
): void {
  for (const [keyword, value] of Object.entries(values)) {
    if (dialect.keywords.has(keyword)) draft[keyword] = value
    else changes.widened(path, `${keyword} was dropped`)
  }
}

function concerns(keyword: string, type: string): boolean {
  return ownKeywords[type]?.includes(keyword) === true || !Object.values(ownKeywords).flat().includes(keyword)
}

const types: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
])
/** The exclusive bound, its inclusive one, and which way is inside. */
const edges = [
  ['exclusiveMinimum', 'minimum', 1],
  ['exclusiveMaximum', 'maximum', -1],
] as const
const countKeywords = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']
const numeric = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
/** What means nothing to values of another type; lists of values hold texts where types are split. */
const ownKeywords: { readonly [type: string]: readonly string[] } = {
  string: ['pattern', 'minLength', 'maxLength', 'enum'],
  number: numeric,
  integer: numeric,
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
}
