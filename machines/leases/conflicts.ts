import type { Place } from '../../src/paths/place.ts'
import { PlaceIndex } from '../../src/paths/place-index.ts'
import type { Conflict, HeldLease, LeaseBook, Waiter } from './book.ts'
import { covers, liveOf, pathsOf } from './places.ts'

/** What the holder has already is no acquisition: no waiter was there before it. */
export function firstConflict(
  book: LeaseBook,
  places: readonly Place[],
  holder: string,
  nowMs: number,
): Conflict | undefined {
  const live = liveOf(book, holder)
  const wanted = places.filter((place) => !live.some((lease) => covers(lease, place)))
  const index = indexOf(book.leases, book.waiters)
  return worstOf(wanted.flatMap((place) => [...conflictsAt(index, place, holder, nowMs)]))
}

/** Everything in the way of a waiter: leases of others, and waiters before it. */
export function blockersOf(book: LeaseBook, waiter: Waiter, nowMs: number): readonly Conflict[] {
  const ahead = book.waiters.slice(0, book.waiters.indexOf(waiter))
  const index = indexOf(book.leases, ahead)
  return waiter.places.flatMap((place) => [...conflictsAt(index, place, waiter.holder, nowMs)])
}

/** A lease says more than somebody's wait for one. */
export function worstOf(conflicts: readonly Conflict[]): Conflict | undefined {
  return conflicts.find(({ by }) => by === 'lease') ?? conflicts[0]
}

export function isBlocked(index: PlaceIndex<HeldLease | Waiter>, { places, holder }: Waiter): boolean {
  return places.some((place) => {
    for (const entry of index.overlapping(place)) if (entry.holder !== holder) return true
    return false
  })
}

export function* conflictsAt(
  index: PlaceIndex<HeldLease | Waiter>,
  asked: Place,
  holder: string,
  nowMs: number,
): Iterable<Conflict> {
  for (const entry of index.overlapping(asked)) {
    if (entry.holder === holder) continue
    const isLease = 'generation' in entry
    yield {
      reason: 'conflict',
      asked: asked.path,
      by: isLease ? 'lease' : 'waiter',
      leased: isLease ? entry.path : pathsOf(entry).join(', '),
      holder: entry.holder,
      heldForMs: nowMs - (isLease ? entry.acquiredAt : entry.since),
    }
  }
}

export function indexOf(
  leases: readonly HeldLease[],
  waiters: readonly Waiter[],
): PlaceIndex<HeldLease | Waiter> {
  const index = new PlaceIndex<HeldLease | Waiter>()
  for (const lease of leases) index.add(lease.place, lease)
  for (const waiter of waiters) for (const place of waiter.places) index.add(place, waiter)
  return index
}
