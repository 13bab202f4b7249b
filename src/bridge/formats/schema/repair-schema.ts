import { follow } from '../../../protocol/json-pointer.ts'
import { isObject, type JsonObject } from '../../../protocol/json-rpc.ts'
import { Changes } from './changes.ts'
import { annotationsOf, type Dialect, isAnnotation } from './dialect.ts'
import type { Draft, Repaired } from './draft.ts'
import { intersect } from './intersect.ts'
import type { Place } from './place.ts'
import { documentOf, ignoresSiblings } from './references.ts'
import { repairArrays } from './repair-arrays.ts'
import { repairCombinations } from './repair-combinations.ts'
import { repairObjects } from './repair-objects.ts'
import { repairValues, splitTypes } from './repair-values.ts'

/** One schema in words of the dialect, valid for whatever was valid before. Neither throws nor changes what it is given. */
export function repairSchema(schema: JsonObject, dialect: Dialect, changes: Changes): Repaired {
  const budget = { left: mostSchemas }
  return repair(schema, {
    dialect,
    changes,
    budget,
    root: schema,
    path: '',
    level: 0,
    depth: 0,
    followed: [],
  })
}

interface Position {
  readonly dialect: Dialect
  readonly changes: Changes
  readonly budget: { left: number }
  readonly root: JsonObject
  readonly path: string
  readonly level: number
  readonly depth: number
  /** The references that led here. */
  readonly followed: readonly string[]
}

function repair(schema: unknown, position: Position): Repaired {
  const { dialect, changes, path, budget } = position
  if (schema === false) return false
  if (!isObject(schema)) {
    changes.respelled(path, schema === true ? 'true became {}' : 'was no schema and takes anything')
    return {}
  }
  budget.left -= 1
  if (position.level > dialect.deepestLevel || position.depth > deepest || budget.left < 0) {
    changes.widened(path, 'takes anything: nested too deep')
    return annotationsOf(schema)
  }
  const here = { ...position, root: position.depth === 0 ? position.root : documentOf(schema, position.root) }
  if (typeof schema.$ref === 'string') return repairReference(schema, schema.$ref, here)
  const place = placeAt(here)
  const draft: Draft = {}
  repairValues(schema, draft, place)
  repairArrays(schema, draft, place)
  if (!repairObjects(schema, draft, place)) return false
  const combined = repairCombinations(schema, draft, place)
  if (!combined) return false
  dropUnevaluated(schema, place)
  return splitTypes(combined, place)
}

function placeAt(position: Position): Place {
  const { dialect, changes, path } = position
  const at = (step: string, levels: number, into: Changes): Position => ({
    ...position,
    changes: into,
    path: `${path}/${step}`,
    level: position.level + levels,
    depth: position.depth + 1,
  })
  return {
    dialect,
    changes,
    path,
    inside: (schema, step, levels) => repair(schema, at(step, levels, changes)),
    exactly(schema, step, levels) {
      const own = new Changes()
      const repaired = repair(schema, at(step, levels, own))
      if (own.losses > 0) return undefined
      changes.add(own)
      return repaired
    },
  }
}

function repairReference(schema: JsonObject, reference: string, position: Position): Repaired {
  const { changes, path, root, followed } = position
  const target = follow(reference, root)
  const { $ref, ...siblings } = schema
  const beside = ignoresSiblings(root) ? annotationsOf(siblings) : siblings
  if (target === undefined) {
    changes.widened(path, `$ref ${reference} leads nowhere and was dropped`)
    return repair(beside, position)
  }
  const round = followed.filter((one) => one === reference).length
  if (round >= mostRounds) {
    changes.widened(path, `takes anything: $ref ${reference} refers to itself`)
    return { ...(isObject(target) && annotationsOf(target)), ...annotationsOf(beside) }
  }
  changes.respelled(path, `$ref ${reference} was inlined`)
  const next = { ...position, depth: position.depth + 1, followed: [...followed, reference] }
  const inlined = repair(target, next)
  const isConstrained = Object.keys(beside).some((keyword) => !isAnnotation(keyword))
  if (inlined === false || !isConstrained) return inlined && { ...inlined, ...annotationsOf(beside) }
  const own = repair(beside, next)
  return own && intersect(own, inlined, (keyword) => changes.widened(path, `${keyword} was simplified`))
}

/** They depend on what every other keyword looked at, down to those that constrain nothing. */
function dropUnevaluated(schema: JsonObject, { changes, path }: Place): void {
  for (const keyword of ['unevaluatedItems', 'unevaluatedProperties'])
    if (schema[keyword] !== undefined && schema[keyword] !== true)
      changes.widened(path, `${keyword} was dropped`)
}

/** Of schemas; far from any that a person wrote, near enough for the stack. */
const deepest = 100
/** Of one tool, references inlined. */
const mostSchemas = 5000
/** How often one reference may lead to itself. */
const mostRounds = 2
