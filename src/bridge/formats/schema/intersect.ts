import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../../../protocol/json-rpc.ts'
import { isAnnotation } from './dialect.ts'
import type { Draft, Repaired } from './draft.ts'

type OnLoss = (keyword: string) => void

/**
 * One schema for what both accept, both repaired. Where no keyword can say it, what the first says stands, and `onLoss`
 * is told: the answer is wider then. False: they have nothing in common.
 */
export function intersect(first: JsonObject, second: JsonObject, onLoss: OnLoss): Repaired {
  const merged: Draft = { ...first }
  const skipped = inseparable(first, second)
  for (const keyword of skipped) if (keyword in second) onLoss(keyword)
  for (const [keyword, theirs] of Object.entries(second)) {
    const ours = first[keyword]
    if (skipped.has(keyword) || isDeepStrictEqual(ours, theirs)) continue
    const both = ours === undefined ? theirs : combine(keyword, ours, theirs, onLoss)
    if (both === nothing) return false
    merged[keyword] = both
  }
  if (closesTheOther(first, second) || closesTheOther(second, first)) onLoss('additionalProperties')
  return merged
}

const nothing = Symbol('nothing')

function combine(keyword: string, ours: unknown, theirs: unknown, onLoss: OnLoss): unknown {
  if (keyword === 'type') return commonTypes(asList(ours), asList(theirs))
  if (keyword === 'enum') return commonValues(asList(ours), asList(theirs))
  if (keyword === 'const') return nothing
  if (keyword === 'required') return [...new Set([...asList(ours), ...asList(theirs)])]
  if (keyword === 'allOf') return [...asList(ours), ...asList(theirs)]
  if (lower.has(keyword)) return Math.max(Number(ours), Number(theirs))
  if (upper.has(keyword)) return Math.min(Number(ours), Number(theirs))
  if (maps.has(keyword) && isObject(ours) && isObject(theirs))
    return combineMaps(ours, theirs, keyword, onLoss)
  if (schemas.has(keyword)) return combineSchemas(ours, theirs, onLoss)
  if (keyword === 'prefixItems')
    return asList(ours).map((item, index) => combineSchemas(item, asList(theirs)[index], onLoss) || {})
  if (!isAnnotation(keyword)) onLoss(keyword)
  return ours
}

/** Keywords that only mean something together, where the second's cannot be told beside the first's. */
function inseparable(first: JsonObject, second: JsonObject): ReadonlySet<string> {
  const skipped = new Set<string>()
  const differ = (keyword: string) =>
    keyword in first && keyword in second && !isDeepStrictEqual(first[keyword], second[keyword])
  if (differ('prefixItems') && asList(first.prefixItems).length !== asList(second.prefixItems).length)
    for (const keyword of ['prefixItems', 'items']) skipped.add(keyword)
  for (const group of groups) {
    const isInBoth = group[0] in first && group[0] in second
    if (isInBoth && group.some((keyword) => !isDeepStrictEqual(first[keyword], second[keyword])))
      for (const keyword of group) skipped.add(keyword)
  }
  return skipped
}

/** What stands in the other's properties only is no longer forbidden, or constrained, by this one. */
function closesTheOther(closing: JsonObject, other: JsonObject): boolean {
  const { additionalProperties, properties } = closing
  if (additionalProperties === undefined || additionalProperties === true) return false
  const own = isObject(properties) ? properties : {}
  const names = isObject(other.properties) ? Object.keys(other.properties) : []
  return 'patternProperties' in other || names.some((name) => !Object.hasOwn(own, name))
}

function combineMaps(ours: JsonObject, theirs: JsonObject, keyword: string, onLoss: OnLoss): JsonObject {
  const names = new Set([...Object.keys(ours), ...Object.keys(theirs)])
  const combined: [string, unknown][] = []
  for (const name of names) {
    const one = Object.hasOwn(ours, name) ? ours[name] : undefined
    const other = Object.hasOwn(theirs, name) ? theirs[name] : undefined
    if (one === undefined || other === undefined) combined.push([name, one ?? other])
    else if (Array.isArray(one)) combined.push([name, [...new Set([...one, ...asList(other)])]])
    else {
      const both = combineSchemas(one, other, onLoss)
      // A property that takes nothing would be refused as a schema.
      if (both === false && keyword === 'properties') onLoss(`property ${name}`)
      combined.push([name, both === false && keyword === 'properties' ? one : both])
    }
  }
  return Object.fromEntries(combined)
}

function combineSchemas(ours: unknown, theirs: unknown, onLoss: OnLoss): unknown {
  if (ours === false || theirs === false) return false
  if (!isObject(ours)) return theirs
  return isObject(theirs) ? intersect(ours, theirs, onLoss) : ours
}

function commonTypes(ours: readonly unknown[], theirs: readonly unknown[]): unknown {
  const common = ours.flatMap((type) => {
    if (theirs.includes(type) || (type === 'integer' && theirs.includes('number'))) return [type]
    return type === 'number' && theirs.includes('integer') ? ['integer'] : []
  })
  const distinct = [...new Set(common)]
  if (distinct.length === 0) return nothing
  return distinct.length === 1 ? distinct[0] : distinct
}

function commonValues(ours: readonly unknown[], theirs: readonly unknown[]): unknown {
  const simple = new Set(theirs)
  const structured = theirs.filter((value) => typeof value === 'object')
  const isCommon = (value: unknown) =>
    typeof value === 'object'
      ? structured.some((other) => isDeepStrictEqual(value, other))
      : simple.has(value)
  const common = ours.filter(isCommon)
  return common.length > 0 ? common : nothing
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** More than so many schemas are not merged into one: each of them takes as long as what was merged is large. */
export const mostParts = 200

const groups = [
  ['contains', 'minContains', 'maxContains'],
  ['if', 'then', 'else'],
] as const
const lower: ReadonlySet<string> = new Set([
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'],
])
const upper: ReadonlySet<string> = new Set([
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'],
])
const maps: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', 'dependentRequired'],
])
const schemas: ReadonlySet<string> = new Set([...['items', 'additionalProperties', 'propertyNames']])
