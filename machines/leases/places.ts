import { isUnder } from '../../src/paths/containment.ts'
import { type Place, placeOf } from '../../src/paths/place.ts'
import type { AcquireRefusal, HeldLease, LeaseBook, PinRefusal, Waiter } from './book.ts'

/** Directories before what is in them. */
export function readPlaces(paths: readonly string[]): readonly Place[] | (AcquireRefusal & PinRefusal) {
  if (paths.length === 0) return { reason: 'no-paths' }
  const places: Place[] = []
  for (const path of paths) {
    const place = placeOf(path)
    if (!place) return { reason: 'unevaluable-path', path }
    places.push(place)
  }
  return places.sort((one, other) => one.keys.length - other.keys.length)
}

export function covers(lease: HeldLease, place: Place): boolean {
  return isUnder(place.location, lease.place.location) === 'yes'
}

/** What a holder may count on. */
export function liveOf({ leases }: LeaseBook, holder: string): readonly HeldLease[] {
  return leases.filter((lease) => lease.holder === holder && !lease.releasePending)
}

export function pathsOf({ places }: Waiter): readonly string[] {
  return places.map(({ path }) => path)
}
