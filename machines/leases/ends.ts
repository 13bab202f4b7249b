import { type Place, placeOf } from '../../src/paths/place.ts'
import type { HeldLease, LeaseBook, LeaseStep, MessageOf, Release, Waiter } from './book.ts'
import { promoted, refusal } from './grants.ts'

export function release(book: LeaseBook, { request, holder, paths, nowMs }: Release): LeaseStep {
  const named = paths && new Set(paths.map((path) => placeOf(path)?.path))
  const { ended, leases, freed } = ending(
    book,
    (lease) => lease.holder === holder && (named?.has(lease.path) ?? true),
  )
  const notHeld = (paths ?? []).filter((path) => !ended.includes(placeOf(path)?.path ?? ''))
  return promoted({ ...book, leases }, freed, nowMs, [
    { request, kind: 'released', released: ended, notHeld },
  ])
}

/** For a holder that is gone: its leases, and its place in the queue. */
export function releaseHolder(
  book: LeaseBook,
  { request, holder, nowMs }: MessageOf<'RELEASE_HOLDER'>,
): LeaseStep {
  const { ended, leases, freed } = ending(book, (lease) => lease.holder === holder)
  const [withdrawn, waiters] = split(book.waiters, (waiter) => waiter.holder === holder)
  const answers = withdrawn.map((waiter) => ({ request: waiter.request, kind: 'withdrawn' as const }))
  const answer = { request, kind: 'released' as const, released: ended, notHeld: [] }
  return promoted({ ...book, leases, waiters }, [...freed, ...placesOf(withdrawn)], nowMs, [
    ...answers,
    answer,
  ])
}

/** Everything, for good: nobody is served by it. */
export function releaseAll(book: LeaseBook, { request }: MessageOf<'RELEASE_ALL'>): LeaseStep {
  const { ended, leases } = ending(book, () => true)
  const answers = book.waiters.map((waiter) => refusal(waiter.request, { reason: 'drained' }))
  const answer = { request, kind: 'released' as const, released: ended, notHeld: [] }
  return { book: { ...book, leases, waiters: [] }, answers: [...answers, answer] }
}

export function cancelWait(book: LeaseBook, { request, nowMs }: MessageOf<'CANCEL_WAIT'>): LeaseStep {
  const [withdrawn, waiters] = split(book.waiters, (waiter) => waiter.request === request)
  const answers = withdrawn.map(() => ({ request, kind: 'withdrawn' as const }))
  return promoted({ ...book, waiters }, placesOf(withdrawn), nowMs, answers)
}

/** Ends leases; those that are pinned when their pins do. */
export function ending({ leases }: LeaseBook, ends: (lease: HeldLease) => boolean): Ending {
  const [gone] = split(leases, (lease) => !lease.releasePending && ends(lease))
  return {
    ended: gone.map(({ path }) => path),
    freed: gone.filter(({ pins }) => pins === 0).map(({ place }) => place),
    leases: leases
      .map((lease) => (gone.includes(lease) ? { ...lease, releasePending: true } : lease))
      .filter((lease) => !isOver(lease)),
  }
}

interface Ending {
  readonly ended: readonly string[]
  readonly freed: readonly Place[]
  readonly leases: readonly HeldLease[]
}

export function isOver({ releasePending, pins }: HeldLease): boolean {
  return releasePending && pins === 0
}

function placesOf(waiters: readonly Waiter[]): readonly Place[] {
  return waiters.flatMap(({ places }) => places)
}

export function split<Item>(items: readonly Item[], belongs: (item: Item) => boolean): [Item[], Item[]] {
  const inside: Item[] = []
  const outside: Item[] = []
  for (const item of items) (belongs(item) ? inside : outside).push(item)
  return [inside, outside]
}
