import type { HeldLease, LeaseBook, LeaseStep, MessageOf, Pin, PinRefusal } from './book.ts'
import { conflictsWith } from './conflicts.ts'
import { isOver, split } from './ends.ts'
import { promoted } from './grants.ts'
import { covers, liveOf, readPlaces } from './places.ts'

export function pin(book: LeaseBook, { request, holder, paths, coverage, nowMs }: Pin): LeaseStep {
  const refuse = (refusal: PinRefusal) => ({
    book,
    answers: [{ request, kind: 'unpinnable' as const, refusal }],
  })
  const places = readPlaces(paths)
  if ('reason' in places) return refuse(places)
  const [conflict] = conflictsWith(book.leases, places, holder, nowMs)
  if (conflict) return refuse(conflict)
  const live = liveOf(book, holder)
  const bare = places.find((place) => !live.some((lease) => covers(lease, place)))
  if (bare && coverage === 'required') return refuse({ reason: 'uncovered', path: bare.path })
  const covering = live.filter((lease) => places.some((place) => covers(lease, place)))
  const generations = covering.map(({ generation }) => generation)
  return {
    book: { ...book, leases: withPins(book.leases, generations, 1) },
    answers: [{ request, kind: 'pinned', generations }],
  }
}

export function unpin(book: LeaseBook, { generations, nowMs }: MessageOf<'UNPIN'>): LeaseStep {
  const [over, leases] = split(withPins(book.leases, generations, -1), isOver)
  const freed = over.map(({ place }) => place)
  return promoted({ ...book, leases }, freed, nowMs, [])
}

function withPins(
  leases: readonly HeldLease[],
  generations: readonly number[],
  by: 1 | -1,
): readonly HeldLease[] {
  return leases.map((lease) =>
    generations.includes(lease.generation) ? { ...lease, pins: Math.max(0, lease.pins + by) } : lease,
  )
}
