import { overlap, type Place } from '../../src/paths/place.ts'
import type { Conflict, HeldLease, LeaseBook, Waiter } from './book.ts'
import { covers, liveOf, pathsOf } from './places.ts'

/** What may be in the way. */
export type Entry = HeldLease | Waiter

/** What is in the way of an acquisition, a lease rather than a waiter. What the holder has already is none: no waiter was there before it. */
export function firstConflict(
  book: LeaseBook,
  places: readonly Place[],
  holder: string,
  nowMs: number,
): Conflict | undefined {
  const live = liveOf(book, holder)
  const wanted = places.filter((place) => !live.some((lease) => covers(lease, place)))
  const [first] = conflictsWith([...book.leases, ...book.waiters], wanted, holder, nowMs)
  return first
}

/** Everything in the way of a waiter: leases of others, and waiters before it. */
export function blockersOf(book: LeaseBook, waiter: Waiter, nowMs: number): readonly Conflict[] {
  const ahead = book.waiters.slice(0, book.waiters.indexOf(waiter))
  return [...conflictsWith([...book.leases, ...ahead], waiter.places, waiter.holder, nowMs)]
}

export function isBlocked({ places, holder }: Waiter, entries: readonly Entry[]): boolean {
  return entries.some((entry) => entry.holder !== holder && places.some((place) => touches(entry, place)))
}

/** In the order of the entries. */
export function* conflictsWith(
  entries: readonly Entry[],
  places: readonly Place[],
  holder: string,
  nowMs: number,
): Iterable<Conflict> {
  for (const entry of entries) {
    if (entry.holder === holder) continue
    for (const place of places) if (touches(entry, place)) yield conflict(entry, place, nowMs)
  }
}

export function touches(entry: Entry, place: Place): boolean {
  return isLease(entry) ? overlap(entry.place, place) : entry.places.some((other) => overlap(other, place))
}

function conflict(entry: Entry, { path: asked }: Place, nowMs: number): Conflict {
  const { holder } = entry
  return isLease(entry)
    ? {
        reason: 'conflict',
        asked,
        by: 'lease',
        leased: entry.path,
        holder,
        heldForMs: nowMs - entry.acquiredAt,
      }
    : {
        reason: 'conflict',
        asked,
        by: 'waiter',
        leased: pathsOf(entry).join(', '),
        holder,
        heldForMs: nowMs - entry.since,
      }
}

function isLease(entry: Entry): entry is HeldLease {
  return 'generation' in entry
}
