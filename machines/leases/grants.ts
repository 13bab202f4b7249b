import type { Place } from '../../src/paths/place.ts'
import type { Acquire, AcquireRefusal, HeldLease, LeaseAnswer, LeaseBook, LeaseStep, Waiter } from './book.ts'
import { type Entry, firstConflict, isBlocked, touches } from './conflicts.ts'
import { covers, liveOf, pathsOf, readPlaces } from './places.ts'

export function acquire(book: LeaseBook, message: Acquire): LeaseStep {
  const { request, holder, paths, ttlMs = book.defaultTtlMs, waitMs = 0, nowMs } = message
  const refuse = (why: AcquireRefusal) => ({ book, answers: [refusal(request, why)] })
  if (!(Number.isFinite(ttlMs) && ttlMs > 0)) return refuse({ reason: 'invalid-ttl', ttlMs })
  const places = readPlaces(paths)
  if ('reason' in places) return refuse(places)
  const holds = liveOf(book, holder).map(({ path }) => path)
  const waitsFor = book.waiters.filter((waiter) => waiter.holder === holder).flatMap(pathsOf)
  if (waitsFor.length > 0) return refuse({ reason: 'hold-and-wait', holds, waitsFor })
  const conflict = firstConflict(book, places, holder, nowMs)
  const waiter = { request, holder, places, ttlMs, since: nowMs, until: nowMs + waitMs }
  if (!conflict) return granted(book, waiter, nowMs)
  if (!(waitMs > 0)) return refuse(conflict)
  if (holds.length > 0)
    return refuse({ reason: 'hold-and-wait', holds, waitsFor: places.map(({ path }) => path) })
  return {
    book: { ...book, waiters: [...book.waiters, waiter] },
    answers: [{ request, kind: 'waiting', conflict }],
  }
}

/** Grants what nothing is in the way of any more, in the order of the queue. Only who wants what was freed can have got through. */
export function promoted(
  book: LeaseBook,
  freed: readonly Place[],
  nowMs: number,
  answers: readonly LeaseAnswer[],
): LeaseStep {
  const entries: Entry[] = [...book.leases]
  const still: Waiter[] = []
  const told = [...answers]
  let next = book
  for (const waiter of book.waiters) {
    const isNearer = freed.some((place) => touches(waiter, place))
    if (isNearer && !isBlocked(waiter, entries)) {
      const step = granted(next, waiter, nowMs)
      next = step.book
      told.push(...step.answers)
    } else still.push(waiter)
    entries.push(waiter)
  }
  return { book: { ...next, waiters: still }, answers: told }
}

function granted(book: LeaseBook, { request, holder, places, ttlMs }: Waiter, nowMs: number): LeaseStep {
  const clock = { ttlMs, expiresAt: nowMs + ttlMs }
  const leases = [...book.leases]
  let { generation } = book
  const given = new Set<number>()
  for (const place of places) {
    const own = leases.findIndex((lease) => lease.holder === holder && isMeant(lease, place))
    const known = leases[own]
    if (known) leases[own] = { ...known, ...clock, releasePending: false }
    else {
      generation += 1
      leases.push({
        path: place.path,
        place,
        holder,
        generation,
        acquiredAt: nowMs,
        ...clock,
        pins: 0,
        releasePending: false,
      })
    }
    given.add(known?.generation ?? generation)
  }
  return {
    book: { ...book, leases, generation },
    answers: [{ request, kind: 'granted', leases: leases.filter((lease) => given.has(lease.generation)) }],
  }
}

/** A lease that was given up while a write of the same holder is landing is taken up again. */
function isMeant(lease: HeldLease, place: Place): boolean {
  return lease.releasePending ? lease.path === place.path : covers(lease, place)
}

export function refusal(request: string, why: AcquireRefusal): LeaseAnswer {
  return { request, kind: 'refused', refusal: why }
}
