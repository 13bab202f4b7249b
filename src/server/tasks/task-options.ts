import { type Check, checkOptions, wholeNumber } from '../../check-options.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import type { TaskStore } from './task-store.ts'

/** Of a server's tasks. Times in ms. */
export interface TaskOptions {
  /** Default a `MemoryTaskStore`. */
  readonly store?: TaskStore
  /** How long a task is kept, from its creation; default 3 600 000, at most 2 147 483 647. Work that is not done by then is aborted. */
  readonly ttlMs?: number
  /** How often clients are told to ask; default 1000. */
  readonly pollIntervalMs?: number
}

/** @throws ConfigError */
export function checkTaskOptions(options: TaskOptions): void {
  checkOptions(options, checks, ['tasks'])
}

/** A timer holds no more. */
const longestTtlMs = 2 ** 31 - 1

const checks: { readonly [option in keyof Required<TaskOptions>]: Check } = {
  store: (value) =>
    isObject(value) && ['save', 'find', 'delete'].every((method) => typeof value[method] === 'function')
      ? undefined
      : 'must be a store with save, find and delete',
  ttlMs: (value) =>
    wholeNumber(value) ?? (Number(value) > longestTtlMs ? `must be at most ${longestTtlMs}` : undefined),
  pollIntervalMs: wholeNumber,
}
