import { isUnder } from '../src/paths/containment.ts'
import { type Place, placeOf } from '../src/paths/place.ts'
import { PlaceIndex } from '../src/paths/place-index.ts'
import type {
  Acquire,
  AcquireRefusal,
  Conflict,
  HeldLease,
  LeaseAnswer,
  LeaseBook,
  LeaseMessage,
  Pin,
  PinRefusal,
  Release,
  Waiter,
} from './lease-book.ts'

/** A book after something happened, and who is to be told what. */
export interface LeaseStep {
  readonly book: LeaseBook
  readonly answers: readonly LeaseAnswer[]
}

/** What a message does. Whatever time has ended by then has ended before. */
export function afterMessage(book: LeaseBook, message: LeaseMessage): LeaseStep {
  const timed = afterTime(book, message.nowMs)
  const { book: next, answers } = handled(timed.book, message)
  return { book: next, answers: [...timed.answers, ...answers] }
}

/** The same once everything was released for good: what still runs may end, nothing is granted. */
export function refused(book: LeaseBook, { request }: Acquire): LeaseStep {
  return { book, answers: [refusal(request, { reason: 'drained' })] }
}

/** When time will change something by itself; Infinity when never. */
export function nextDeadline({ leases, waiters }: LeaseBook): number {
  let next = Number.POSITIVE_INFINITY
  for (const lease of leases) if (!lease.releasePending) next = Math.min(next, lease.expiresAt)
  for (const { until } of waiters) next = Math.min(next, until)
  return next
}

/** Everything in the way of a waiter: leases of others, and waiters before it. */
export function blockersOf(book: LeaseBook, waiter: Waiter, nowMs: number): readonly Conflict[] {
  const ahead = book.waiters.slice(0, book.waiters.indexOf(waiter))
  const index = indexOf(book.leases, ahead)
  return waiter.places.flatMap((place) => [...conflictsAt(index, place, waiter.holder, nowMs)])
}

function handled(book: LeaseBook, message: LeaseMessage): LeaseStep {
  switch (message.type) {
    case 'ACQUIRE':
      return acquire(book, message)
    case 'RELEASE':
      return release(book, message)
    case 'RELEASE_HOLDER': {
      const { holder, request, nowMs } = message
      const { ended, leases } = ending(book, (lease) => lease.holder === holder)
      const [withdrawn, waiters] = split(book.waiters, (waiter) => waiter.holder === holder)
      const answers = withdrawn.map((waiter) => ({ request: waiter.request, kind: 'withdrawn' as const }))
      const answer = { request, kind: 'released' as const, released: ended, notHeld: [] }
      return promoted({ ...book, leases, waiters }, nowMs, [...answers, answer])
    }
    case 'RELEASE_ALL': {
      const { ended, leases } = ending(book, () => true)
      const answers = book.waiters.map(({ request }) => refusal(request, { reason: 'drained' }))
      const answer = { request: message.request, kind: 'released' as const, released: ended, notHeld: [] }
      return { book: { ...book, leases, waiters: [] }, answers: [...answers, answer] }
    }
    case 'CANCEL_WAIT': {
      const [withdrawn, waiters] = split(book.waiters, ({ request }) => request === message.request)
      const answers = withdrawn.map(({ request }) => ({ request, kind: 'withdrawn' as const }))
      return promoted({ ...book, waiters }, message.nowMs, answers)
    }
    case 'PIN':
      return pin(book, message)
    case 'UNPIN':
      return unpin(book, message.generations, message.nowMs)
    case 'TICK':
      return { book, answers: [] }
  }
}

function acquire(book: LeaseBook, message: Acquire): LeaseStep {
  const { request, holder, paths, ttlMs = book.defaultTtlMs, waitMs = 0, nowMs } = message
  const refuse = (why: AcquireRefusal) => ({ book, answers: [refusal(request, why)] })
  if (!(ttlMs > 0 && Number.isFinite(ttlMs))) return refuse({ reason: 'invalid-ttl', ttlMs })
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

/** What the holder has already is no acquisition: no waiter was there before it. */
function firstConflict(
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

function release(book: LeaseBook, { request, holder, paths, nowMs }: Release): LeaseStep {
  const named = paths && new Set(paths.map((path) => placeOf(path)?.path))
  const { ended, leases } = ending(
    book,
    (lease) => lease.holder === holder && (named?.has(lease.path) ?? true),
  )
  const notHeld = (paths ?? []).filter((path) => !ended.includes(placeOf(path)?.path ?? ''))
  return promoted({ ...book, leases }, nowMs, [{ request, kind: 'released', released: ended, notHeld }])
}

function pin(book: LeaseBook, { request, holder, paths, coverage, nowMs }: Pin): LeaseStep {
  const refuse = (refusal: PinRefusal) => ({
    book,
    answers: [{ request, kind: 'unpinnable' as const, refusal }],
  })
  const places = readPlaces(paths)
  if ('reason' in places) return refuse(places)
  const index = indexOf(book.leases, [])
  const [conflict] = places.flatMap((place) => [...conflictsAt(index, place, holder, nowMs)])
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

function unpin(book: LeaseBook, generations: readonly number[], nowMs: number): LeaseStep {
  const leases = withPins(book.leases, generations, -1)
  return promoted({ ...book, leases: leases.filter((lease) => !isOver(lease)) }, nowMs, [])
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

/** Deadlines take effect in the order they were due, however late this is told; a lease that ends just then still serves a waiter. */
function afterTime(book: LeaseBook, nowMs: number): LeaseStep {
  if (nextDeadline(book) > nowMs) return { book, answers: [] }
  const expiries = book.leases
    .filter(({ releasePending }) => !releasePending)
    .map(({ expiresAt, generation }) => ({
      atMs: expiresAt,
      end: (now: LeaseBook) => expired(now, generation, nowMs),
    }))
  const timeouts = book.waiters.map(({ until, request }) => ({
    atMs: until,
    end: (now: LeaseBook) => timedOut(now, request, nowMs),
  }))
  const due = [...expiries, ...timeouts].filter(({ atMs }) => atMs <= nowMs).sort((a, b) => a.atMs - b.atMs)
  let step: LeaseStep = { book, answers: [] }
  for (const { end } of due) {
    const { book: next, answers } = end(step.book)
    step = { book: next, answers: [...step.answers, ...answers] }
  }
  return step
}

function expired(book: LeaseBook, generation: number, nowMs: number): LeaseStep {
  return promoted(
    { ...book, leases: ending(book, (lease) => lease.generation === generation).leases },
    nowMs,
    [],
  )
}

function timedOut(book: LeaseBook, request: string, nowMs: number): LeaseStep {
  const waiter = book.waiters.find((waiter) => waiter.request === request)
  if (!waiter) return { book, answers: [] }
  const conflict = worstOf(blockersOf(book, waiter, nowMs))
  const waiters = book.waiters.filter((other) => other !== waiter)
  const answer = conflict ? refusal(request, conflict) : { request, kind: 'withdrawn' as const }
  return promoted({ ...book, waiters }, nowMs, [answer])
}

/** A lease says more than somebody's wait for one. */
function worstOf(conflicts: readonly Conflict[]): Conflict | undefined {
  return conflicts.find(({ by }) => by === 'lease') ?? conflicts[0]
}

/** Grants what nothing is in the way of any more, in the order of the queue. */
function promoted(book: LeaseBook, nowMs: number, answers: readonly LeaseAnswer[]): LeaseStep {
  if (book.waiters.length === 0) return { book, answers }
  const index = indexOf(book.leases, [])
  const still: Waiter[] = []
  const told = [...answers]
  let next = book
  for (const waiter of book.waiters) {
    if (isBlocked(index, waiter)) still.push(waiter)
    else {
      const step = granted(next, waiter, nowMs)
      next = step.book
      told.push(...step.answers)
    }
    for (const place of waiter.places) index.add(place, waiter)
  }
  return { book: { ...next, waiters: still }, answers: told }
}

function isBlocked(index: PlaceIndex<HeldLease | Waiter>, { places, holder }: Waiter): boolean {
  return places.some((place) => {
    for (const entry of index.overlapping(place)) if (entry.holder !== holder) return true
    return false
  })
}

function* conflictsAt(
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

function indexOf(leases: readonly HeldLease[], waiters: readonly Waiter[]): PlaceIndex<HeldLease | Waiter> {
  const index = new PlaceIndex<HeldLease | Waiter>()
  for (const lease of leases) index.add(lease.place, lease)
  for (const waiter of waiters) for (const place of waiter.places) index.add(place, waiter)
  return index
}

/** Ends leases; those that are pinned when their pins do. */
function ending(
  { leases }: LeaseBook,
  ends: (lease: HeldLease) => boolean,
): { readonly ended: readonly string[]; readonly leases: readonly HeldLease[] } {
  const [gone] = split(leases, (lease) => !lease.releasePending && ends(lease))
  return {
    ended: gone.map(({ path }) => path),
    leases: leases
      .map((lease) => (gone.includes(lease) ? { ...lease, releasePending: true } : lease))
      .filter((lease) => !isOver(lease)),
  }
}

function isOver({ releasePending, pins }: HeldLease): boolean {
  return releasePending && pins === 0
}

/** What a holder may count on. */
function liveOf({ leases }: LeaseBook, holder: string): readonly HeldLease[] {
  return leases.filter((lease) => lease.holder === holder && !lease.releasePending)
}

function covers(lease: HeldLease, place: Place): boolean {
  return isUnder(place.location, lease.place.location) === 'yes'
}

/** Directories before what is in them. */
function readPlaces(paths: readonly string[]): readonly Place[] | (AcquireRefusal & PinRefusal) {
  if (paths.length === 0) return { reason: 'no-paths' }
  const places: Place[] = []
  for (const path of paths) {
    const place = placeOf(path)
    if (!place) return { reason: 'unevaluable-path', path: String(path) }
    places.push(place)
  }
  return places.sort((one, other) => one.keys.length - other.keys.length)
}

function pathsOf({ places }: Waiter): readonly string[] {
  return places.map(({ path }) => path)
}

function refusal(request: string, why: AcquireRefusal): LeaseAnswer {
  return { request, kind: 'refused', refusal: why }
}

function split<Item>(items: readonly Item[], belongs: (item: Item) => boolean): [Item[], Item[]] {
  const inside: Item[] = []
  const outside: Item[] = []
  for (const item of items) (belongs(item) ? inside : outside).push(item)
  return [inside, outside]
}
