import type { SnapshotFrom } from 'xstate'
import { blockersOf, type HeldLease, type leaseTableMachine } from '../../../machines/index.ts'
import type { LeaseSnapshot, LeaseStatus } from './leasing.ts'

export function leaseSnapshot({ place: _, ...lease }: HeldLease, nowMs: number): LeaseSnapshot {
  return { ...lease, heldForMs: nowMs - lease.acquiredAt, expiresInMs: lease.expiresAt - nowMs }
}

export function statusOf(table: SnapshotFrom<typeof leaseTableMachine>, nowMs: number): LeaseStatus {
  const { context, value } = table
  const leases = context.leases.map((lease) => leaseSnapshot(lease, nowMs))
  return {
    state: value === 'drained' ? 'drained' : value.open,
    leases,
    waiters: context.waiters.map((waiter) => ({
      holder: waiter.holder,
      paths: waiter.places.map(({ path }) => path),
      waitingForMs: nowMs - waiter.since,
      endsInMs: waiter.until - nowMs,
      blockers: blockersOf(context, waiter, nowMs),
    })),
    pins: leases.filter(({ pins }) => pins > 0),
  }
}
