import { isObject, type JsonObject } from '../../../protocol/json-rpc.ts'
import { asObject, type Draft, type Repaired } from './draft.ts'
import { intersect, mostParts } from './intersect.ts'
import type { Place } from './place.ts'

/** `anyOf`, `oneOf`, `allOf`, `not`, and `if`. False: no value can be valid. */
export function repairCombinations(schema: JsonObject, draft: Draft, place: Place): Repaired {
  const { changes, path } = place
  const alternatives = repairUnion('anyOf', schema, place)
  if (alternatives === false) return false
  if (alternatives !== undefined) draft.anyOf = alternatives
  const before = changes.losses
  const exclusive = repairUnion('oneOf', schema, place)
  if (exclusive === false) return false
  if (exclusive !== undefined) {
    // Wider branches overlap more: what exactly one accepted, two may accept now.
    const isSame = changes.losses === before && place.dialect.keywords.has('oneOf')
    if (isSame) draft.oneOf = exclusive
    else if ('anyOf' in draft) changes.widened(path, 'oneOf was dropped beside anyOf')
    else {
      changes.widened(path, 'oneOf became anyOf')
      draft.anyOf = exclusive
    }
  }
  repairNot(schema, draft, place)
  repairCondition(schema, draft, place)
  return repairAllOf(schema, draft, place)
}

function repairUnion(
  keyword: 'anyOf' | 'oneOf',
  schema: JsonObject,
  { changes, path, inside }: Place,
): readonly JsonObject[] | false | undefined {
  const branches = schema[keyword]
  if (branches === undefined) return undefined
  if (!Array.isArray(branches) || branches.length === 0) {
    changes.widened(path, `${keyword} was no list of schemas and was dropped`)
    return undefined
  }
  const repaired = branches.map((branch, index) => inside(branch, `${keyword}/${index}`, 0))
  const possible = repaired.filter((branch) => branch !== false)
  return possible.length > 0 && possible
}

function repairAllOf({ allOf }: JsonObject, draft: Draft, place: Place): Repaired {
  const { dialect, changes, path } = place
  if (allOf === undefined) return draft
  if (!Array.isArray(allOf)) {
    changes.widened(path, 'allOf was no list of schemas and was dropped')
    return draft
  }
  const parts = allOf.map((part, index) => place.inside(part, `allOf/${index}`, 0))
  if (parts.includes(false)) return false
  if (dialect.keywords.has('allOf') && path !== '')
    return parts.length > 0 ? { ...draft, allOf: parts } : draft
  changes.respelled(path, 'allOf was merged')
  let merged: Repaired = draft
  if (parts.length > mostParts) changes.widened(path, `of allOf only ${mostParts} parts were merged`)
  for (const part of parts.slice(0, mostParts)) {
    if (merged === false || part === false) return false
    merged = intersect(merged, part, (keyword) => changes.widened(path, `${keyword} was simplified`))
  }
  return merged
}

function repairNot(schema: JsonObject, draft: Draft, { dialect, changes, path, exactly }: Place): void {
  if (schema.not === undefined || schema.not === false) return
  const repaired = dialect.keywords.has('not') ? exactly(schema.not, 'not', 0) : undefined
  if (isObject(repaired)) draft.not = repaired
  else if (repaired === undefined) changes.widened(path, 'not was dropped')
}

function repairCondition(schema: JsonObject, draft: Draft, place: Place): void {
  const { dialect, changes, path } = place
  if (schema.if === undefined || (schema.then === undefined && schema.else === undefined)) return
  const condition = dialect.keywords.has('if') ? place.exactly(schema.if, 'if', 0) : undefined
  if (!isObject(condition)) {
    changes.widened(path, 'if was dropped')
    return
  }
  draft.if = condition
  for (const keyword of ['then', 'else'])
    if (schema[keyword] !== undefined) draft[keyword] = asObject(place.inside(schema[keyword], keyword, 0))
}
