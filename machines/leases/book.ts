import type { Place } from '../../src/paths/place.ts'

/** A place that is somebody's for a while. Times in ms on the table's clock. */
export interface Lease {
  readonly path: string
  readonly holder: string
  /** Numbers the grants of a table; a refreshed lease keeps its own. */
  readonly generation: number
  readonly acquiredAt: number
  readonly ttlMs: number
  readonly expiresAt: number
  /** Mutations under way that it covers. */
  readonly pins: number
  /** It was given up or expired, and ends with its last pin: nobody's any more, and not free yet. */
  readonly releasePending: boolean
}

export interface HeldLease extends Lease {
  readonly place: Place
}

/** An acquisition that waits for its turn. It holds nothing. */
export interface Waiter {
  readonly request: string
  readonly holder: string
  readonly places: readonly Place[]
  readonly ttlMs: number
  readonly since: number
  readonly until: number
}

/** Everything a table knows. */
export interface LeaseBook {
  readonly defaultTtlMs: number
  readonly leases: readonly HeldLease[]
  /** First come, first served. */
  readonly waiters: readonly Waiter[]
  /** How many leases there have been. */
  readonly generation: number
}

/** What is in the way of an acquisition, or of a mutation. */
export interface Conflict {
  readonly reason: 'conflict'
  /** The path that was wanted. */
  readonly asked: string
  /** A lease, or an earlier waiter, whose path overlaps it. */
  readonly by: 'lease' | 'waiter'
  readonly leased: string
  readonly holder: string
  /** How long it has been held, or waited for. */
  readonly heldForMs: number
}

export type AcquireRefusal =
  | Conflict
  | { readonly reason: 'no-paths' }
  /** Nobody can say for certain where it leads. */
  | { readonly reason: 'unevaluable-path'; readonly path: string }
  | { readonly reason: 'invalid-ttl'; readonly ttlMs: number }
  /** It would have to wait, but who waits may hold nothing and wait for nothing else. */
  | {
      readonly reason: 'hold-and-wait'
      readonly holds: readonly string[]
      readonly waitsFor: readonly string[]
    }
  /** Everything was released for good. */
  | { readonly reason: 'drained' }

export type PinRefusal =
  | Exclude<AcquireRefusal, { readonly reason: 'invalid-ttl' | 'hold-and-wait' | 'drained' }>
  /** No lease of the holder covers it. */
  | { readonly reason: 'uncovered'; readonly path: string }

/** What the sender of a message is told; `request` is the message's. */
export type LeaseAnswer = { readonly request: string } & (
  | { readonly kind: 'granted'; readonly leases: readonly HeldLease[] }
  /** Another answer follows. */
  | { readonly kind: 'waiting'; readonly conflict: Conflict }
  | { readonly kind: 'refused'; readonly refusal: AcquireRefusal }
  /** The wait ended by CANCEL_WAIT or RELEASE_HOLDER. */
  | { readonly kind: 'withdrawn' }
  /** `notHeld`: of the paths named, those that are no lease of the holder. */
  | { readonly kind: 'released'; readonly released: readonly string[]; readonly notHeld: readonly string[] }
  | { readonly kind: 'pinned'; readonly generations: readonly number[] }
  | { readonly kind: 'unpinnable'; readonly refusal: PinRefusal }
)

export interface Timed {
  readonly nowMs: number
}

export interface Asking extends Timed {
  readonly request: string
}

export interface Acquire extends Asking {
  readonly type: 'ACQUIRE'
  readonly holder: string
  readonly paths: readonly string[]
  /** Default the table's. */
  readonly ttlMs?: number
  /** Default 0: never. */
  readonly waitMs?: number
}

export interface Release extends Asking {
  readonly type: 'RELEASE'
  readonly holder: string
  /** Default all of its leases. */
  readonly paths?: readonly string[]
}

export interface Pin extends Asking {
  readonly type: 'PIN'
  readonly holder: string
  readonly paths: readonly string[]
  /** Whether every path must be covered by a lease of the holder. */
  readonly coverage: 'required' | 'optional'
}

export type LeaseMessage =
  | Acquire
  | Release
  /** All its leases, and its place in the queue. */
  | (Asking & { readonly type: 'RELEASE_HOLDER'; readonly holder: string })
  | (Asking & { readonly type: 'RELEASE_ALL' })
  /** `request` is the ACQUIRE's. */
  | (Asking & { readonly type: 'CANCEL_WAIT' })
  | Pin
  | (Timed & { readonly type: 'UNPIN'; readonly generations: readonly number[] })
  | (Timed & { readonly type: 'TICK' })

export type MessageOf<Type extends LeaseMessage['type']> = Extract<LeaseMessage, { readonly type: Type }>

/** A book after something happened, and who is to be told what. */
export interface LeaseStep {
  readonly book: LeaseBook
  readonly answers: readonly LeaseAnswer[]
}
