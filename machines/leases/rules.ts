import type { LeaseBook, LeaseMessage, LeaseStep } from './book.ts'
import { blockersOf } from './conflicts.ts'
import { cancelWait, ending, release, releaseAll, releaseHolder } from './ends.ts'
import { acquire, promoted, refusal } from './grants.ts'
import { pin, unpin } from './pins.ts'

/** What a message does. Whatever time has ended by then has ended before. */
export function afterMessage(book: LeaseBook, message: LeaseMessage): LeaseStep {
  const timed = afterTime(book, message.nowMs)
  const { book: next, answers } = handled(timed.book, message)
  return { book: next, answers: [...timed.answers, ...answers] }
}

/** When time will change something by itself; Infinity when never. */
export function nextDeadline({ leases, waiters }: LeaseBook): number {
  let next = Number.POSITIVE_INFINITY
  for (const lease of leases) if (!lease.releasePending) next = Math.min(next, lease.expiresAt)
  for (const { until } of waiters) next = Math.min(next, until)
  return next
}

function handled(book: LeaseBook, message: LeaseMessage): LeaseStep {
  switch (message.type) {
    case 'ACQUIRE':
      return acquire(book, message)
    case 'RELEASE':
      return release(book, message)
    case 'RELEASE_HOLDER':
      return releaseHolder(book, message)
    case 'RELEASE_ALL':
      return releaseAll(book, message)
    case 'CANCEL_WAIT':
      return cancelWait(book, message)
    case 'PIN':
      return pin(book, message)
    case 'UNPIN':
      return unpin(book, message)
    case 'TICK':
      return { book, answers: [] }
  }
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
  const { leases, freed } = ending(book, (lease) => lease.generation === generation)
  return promoted({ ...book, leases }, freed, nowMs, [])
}

function timedOut(book: LeaseBook, request: string, nowMs: number): LeaseStep {
  const waiter = book.waiters.find((waiter) => waiter.request === request)
  if (!waiter) return { book, answers: [] }
  const [conflict] = blockersOf(book, waiter, nowMs)
  const waiters = book.waiters.filter((other) => other !== waiter)
  const answer = conflict ? refusal(request, conflict) : { request, kind: 'withdrawn' as const }
  return promoted({ ...book, waiters }, waiter.places, nowMs, [answer])
}
