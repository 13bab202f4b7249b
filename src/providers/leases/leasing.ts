import type { AcquireRefusal, Conflict, Lease, PinRefusal } from '../../../machines/index.ts'

/** What a table of leases can be asked, in its own thread and from any other. */
export interface Leasing {
  /** How long a lease lasts that was acquired without `ttlMs`. */
  readonly defaultTtlMs: number
  /**
   * All of the paths or none. Whoever holds a path already has its clock set anew. When others are in the way it waits for up to
   * `waitMs`, first come first served, and holds nothing meanwhile. @throws ConfigError for what no model could have caused
   */
  acquire(request: AcquireRequest, options?: AcquireOptions): Promise<AcquireOutcome>
  /** Gives leases back: those at these paths, or all. One that covers a mutation under way ends with it. */
  release(request: ReleaseRequest): Promise<ReleaseOutcome>
  /** For when an agent is done, or gone: its leases, and its place in the queue. Resolves with the paths. */
  releaseHolder(holder: string): Promise<readonly string[]>
  /** At shutdown: everything is freed, whoever waits is refused, and nothing is granted any more. */
  releaseAll(): Promise<readonly string[]>
  /** Holds the leases that cover a mutation while it runs, whatever becomes of them meanwhile. `unpin` what it answers, always. */
  pin(request: PinRequest): Promise<PinOutcome>
  unpin(generations: readonly number[]): Promise<void>
  /** One consistent snapshot. */
  status(): Promise<LeaseStatus>
}

export interface AcquireRequest {
  readonly holder: string
  /** Absolute, or all relative to the same directory. A directory covers everything in it. */
  readonly paths: readonly string[]
  /** Default the table's. */
  readonly ttlMs?: number
  /** Default 0: never wait. */
  readonly waitMs?: number
}

export interface AcquireOptions {
  /** Ends the wait. */
  readonly signal?: AbortSignal
  /** Called once if it has to wait, with what is in the way. */
  readonly onWait?: (conflict: Conflict) => void
}

export interface ReleaseRequest {
  readonly holder: string
  /** Default all of its leases. */
  readonly paths?: readonly string[]
}

export interface PinRequest {
  readonly holder: string
  /** What the mutation changes. */
  readonly paths: readonly string[]
  /** `required`: refuse what no lease of the holder covers. `optional`: leases of others refuse it all the same. */
  readonly coverage: 'required' | 'optional'
}

export type AcquireOutcome =
  | { readonly kind: 'granted'; readonly leases: readonly LeaseSnapshot[] }
  | { readonly kind: 'refused'; readonly refusal: AcquireRefusal }
  /** The wait was given up: by its signal, or since its holder was released. */
  | { readonly kind: 'withdrawn' }

export interface ReleaseOutcome {
  readonly released: readonly string[]
  /** Of the paths named, those at which the holder has no lease. */
  readonly notHeld: readonly string[]
}

export type PinOutcome =
  | { readonly kind: 'pinned'; readonly generations: readonly number[] }
  | { readonly kind: 'refused'; readonly refusal: PinRefusal }

export interface LeaseSnapshot extends Lease {
  readonly heldForMs: number
  readonly expiresInMs: number
}

export interface WaiterSnapshot {
  readonly holder: string
  readonly paths: readonly string[]
  readonly waitingForMs: number
  readonly endsInMs: number
  /** Leases of others, and waiters before it. */
  readonly blockers: readonly Conflict[]
}

export interface LeaseStatus {
  readonly state: 'free' | 'contended' | 'drained'
  readonly leases: readonly LeaseSnapshot[]
  /** In the order they are served. */
  readonly waiters: readonly WaiterSnapshot[]
  /** The leases among them that cover mutations under way. */
  readonly pins: readonly LeaseSnapshot[]
}
