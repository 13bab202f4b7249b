import type { JsonObject } from '../../../protocol/json-rpc.ts'
import type { Draft, Repaired } from './draft.ts'
import type { Place } from './place.ts'

/** The keywords of arrays. */
export function repairArrays(schema: JsonObject, draft: Draft, place: Place): void {
  repairItems(schema, draft, place)
  repairContains(schema, draft, place)
  const isArray = [draft.type].flat().includes('array')
  if (isArray && !('items' in draft) && place.dialect.needs.items) {
    place.changes.respelled(place.path, 'items was missing')
    draft.items = {}
  }
}

function repairItems(schema: JsonObject, draft: Draft, place: Place): void {
  const { dialect, changes, path } = place
  // Until 2019-09 `items` was the list and `additionalItems` the rest.
  const isOldList = Array.isArray(schema.items)
  const list = isOldList ? schema.items : schema.prefixItems
  const rest = isOldList ? schema.additionalItems : schema.items
  const prefix: readonly unknown[] = Array.isArray(list) ? list : []
  if (prefix.length > 0 && !dialect.keywords.has('prefixItems')) {
    changes.widened(path, 'prefixItems was dropped')
    return
  }
  if (isOldList) changes.respelled(path, 'its list of items became prefixItems')
  if (prefix.length > 0) {
    const repaired = prefix.map((item, index) => place.inside(item, `prefixItems/${index}`, 1))
    const end = repaired.indexOf(false)
    if (end >= 0) limitItems(draft, end, place)
    draft.prefixItems = repaired.map((item) => item || {})
  }
  if (rest === undefined) return
  const items = place.inside(rest, 'items', 1)
  if (items === false) limitItems(draft, prefix.length, place)
  else draft.items = items
}

/** The same as an item that nothing fits. */
function limitItems(draft: Draft, most: number, { dialect, changes, path }: Place): void {
  changes.respelled(path, 'items false became maxItems')
  if (dialect.keywords.has('maxItems'))
    draft.maxItems = typeof draft.maxItems === 'number' ? Math.min(draft.maxItems, most) : most
}

function repairContains(schema: JsonObject, draft: Draft, place: Place): void {
  const { contains, minContains, maxContains } = schema
  if (contains === undefined) return
  const counts = Object.entries({ minContains, maxContains }).filter(([, count]) => count !== undefined)
  const isKnown =
    place.dialect.keywords.has('contains') && counts.every(([keyword]) => place.dialect.keywords.has(keyword))
  const isSane = counts.every(([, count]) => Number.isSafeInteger(count) && Number(count) >= 0)
  let repaired: Repaired | undefined
  if (isKnown && isSane)
    repaired =
      maxContains === undefined
        ? place.inside(contains, 'contains', 1)
        : place.exactly(contains, 'contains', 1)
  if (repaired === undefined || repaired === false) {
    place.changes.widened(place.path, 'contains was dropped')
    return
  }
  draft.contains = repaired
  Object.assign(draft, Object.fromEntries(counts))
}
