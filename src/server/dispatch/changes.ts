import type { JsonObject } from '../../protocol/json-rpc.ts'
import { matchesFilter, type SubscriptionFilter } from '../../protocol/subscriptions.ts'
import type { Change, Offer } from '../offer.ts'

/**
 * Tells of the changes a filter asks for; what changes many times in one turn is told once. `filter` is asked each time. Returns what
 * stops it.
 */
export function followChanges(
  offer: Offer,
  filter: () => SubscriptionFilter,
  notify: (method: string, params: JsonObject) => void,
): () => void {
  const waiting = new Map<string, Note>()
  const flush = () => {
    const notes = [...waiting.values()]
    waiting.clear()
    for (const { method, params } of notes) notify(method, params)
  }
  return offer.onChange((change) => {
    const note = noteOf(change)
    if (!matchesFilter(filter(), note.method, note.params)) return
    if (waiting.size === 0) queueMicrotask(flush)
    waiting.set(JSON.stringify(note), note)
  })
}

interface Note {
  readonly method: string
  readonly params: JsonObject
}

function noteOf(change: Change): Note {
  return change.kind === 'resource'
    ? { method: 'notifications/resources/updated', params: { uri: change.uri } }
    : { method: `notifications/${change.kind}/list_changed`, params: {} }
}
