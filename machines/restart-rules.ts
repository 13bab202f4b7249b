/** When a child that went down is started again; after OTP: `permanent` always, `transient` after a failure, `temporary` never. */
export type RestartKind = 'permanent' | 'transient' | 'temporary'

/** How a server is kept running. Times in ms. */
export interface ChildSpec {
  readonly restart: RestartKind
  /** More restarts than this within `withinMs` exhaust the child. */
  readonly maxRestarts: number
  readonly withinMs: number
  readonly backoff: Backoff
  /** `eager` starts with its supervisor, `lazy` with the first call. */
  readonly start: 'eager' | 'lazy'
  /** A child without calls for this long is stopped until the next one; undefined: never. */
  readonly idleStopMs: number | undefined
}

export interface Backoff {
  readonly initialMs: number
  /** Each wait is so many times the one before. */
  readonly factor: number
  readonly maxMs: number
  /** The share of a wait that chance may take off, 0 to 1: servers that died together should not come back together. */
  readonly jitter: number
}

/** Restarts of the past, as the next one is judged by. */
export interface RestartRecord {
  /** When the last restarts were decided, oldest first; never more than one above `maxRestarts`. */
  readonly recentMs: readonly number[]
  /** Restarts in a row without an incarnation that stayed up for `withinMs`. */
  readonly inARow: number
}

export const noRestarts: RestartRecord = { recentMs: [], inARow: 0 }

/** The record with one more restart. `upForMs`: how long the incarnation that just ended had been up. */
export function withRestart(
  record: RestartRecord,
  { maxRestarts, withinMs }: ChildSpec,
  atMs: number,
  upForMs: number,
): RestartRecord {
  const stillCount = record.recentMs.filter((earlierMs) => atMs - earlierMs < withinMs)
  return {
    recentMs: [...stillCount, atMs].slice(-(maxRestarts + 1)),
    inARow: upForMs >= withinMs ? 1 : record.inARow + 1,
  }
}

export function isTooOften({ recentMs }: RestartRecord, { maxRestarts }: ChildSpec): boolean {
  return recentMs.length > maxRestarts
}

/** How long to wait before the restart recorded last. `chance` is a random number from 0 to 1. */
export function backoffMs(
  { initialMs, factor, maxMs, jitter }: Backoff,
  inARow: number,
  chance: number,
): number {
  const fullMs = Math.min(initialMs * factor ** (inARow - 1), maxMs)
  return Math.round(fullMs * (1 - jitter * chance))
}
