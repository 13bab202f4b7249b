import type { JsonObject } from '../../../protocol/json-rpc.ts'
import { shown } from './changes.ts'
import { type Draft, tell } from './draft.ts'
import type { Place } from './place.ts'

/** `const` and `enum`, after `type`. */
export function repairEnum(schema: JsonObject, draft: Draft, place: Place): void {
  const { dialect, changes, path } = place
  const hasConst = schema.const !== undefined
  const keepsConst = hasConst && dialect.keywords.has('const')
  if (keepsConst) draft.const = schema.const
  if (schema.enum === undefined && (!hasConst || keepsConst)) return
  const becomesEnum = hasConst && !keepsConst
  if (becomesEnum) changes.respelled(path, 'const became enum')
  const values = becomesEnum ? [schema.const] : schema.enum
  if (!Array.isArray(values) || values.length === 0) {
    changes.widened(path, `enum ${shown(values)} was dropped`)
    return
  }
  const distinct = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
  if (dialect.enums === 'any') draft.enum = distinct
  else listTexts(distinct, draft, place)
}

/** Null goes into the type; with anything else that is no text, only the types remain, and the values as words. */
function listTexts(values: readonly unknown[], draft: Draft, { changes, path }: Place): void {
  narrowType(draft, new Set(values.map(typeOf)))
  const texts = values.filter((value) => typeof value === 'string' && value !== '')
  const isListable = values.every((value) => value === null || texts.includes(value))
  if (isListable && texts.length > 0) draft.enum = texts
  if (isListable) return
  changes.widened(path, 'enum was dropped: only texts can be listed')
  tell(draft, `one of ${values.map(shown).join(', ')}`)
}

function narrowType(draft: Draft, found: ReadonlySet<string>): void {
  const declared: readonly unknown[] = draft.type === undefined ? [...found] : [draft.type].flat()
  const left = declared.filter(
    (type) => found.has(String(type)) || (type === 'number' && found.has('integer')),
  )
  if (left.length > 0) draft.type = left.length === 1 ? left[0] : left
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
