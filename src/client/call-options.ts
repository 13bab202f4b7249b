import type { Budget } from '../../workers/frames.ts'
import { ConfigError } from '../errors.ts'
import { isObject, type JsonObject } from '../protocol/json-rpc.ts'
import { isReservedMetaKey } from '../protocol/meta.ts'
import type { Progress, ProgressToken } from '../protocol/progress.ts'
import { ownMetaText } from '../protocol/requests.ts'
import type { Task } from '../protocol/tasks.ts'

/** What may go along with any call. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** The server's time, in ms; pauses while a hook of the call is open; 0: no budget. Default `requestTimeoutMs`. */
  readonly timeoutMs?: number
  /** All of the call's time, whatever progress says; 0: no cap. Default the client's. */
  readonly maxTotalTimeoutMs?: number
  /** Your own token, unique among open calls; reports then also arrive as notifications. Default: one is minted. */
  readonly progressToken?: ProgressToken
  /** Every progress report, in arrival order; each renews `timeoutMs`. */
  readonly onProgress?: (report: Progress) => void
  /** With `tasks`: the server made a task of the call, or the task moved. Keep its `taskId` to pick it up again by `resumeTask`. */
  readonly onTask?: (task: Task) => void
  /** Crosses the wire as `_meta`, beside the protocol's own keys. */
  readonly meta?: JsonObject
}

export interface ListOptions extends Pick<CallOptions, 'signal' | 'timeoutMs' | 'maxTotalTimeoutMs'> {
  /** Ask the server even if what it said before is still fresh. */
  readonly refresh?: boolean
}

/** @throws ConfigError for a budget that is none. */
export function budgetOf({ timeoutMs, maxTotalTimeoutMs }: CallOptions): Budget | undefined {
  if (timeoutMs === undefined && maxTotalTimeoutMs === undefined) return undefined
  for (const [option, value] of Object.entries({ timeoutMs, maxTotalTimeoutMs })) {
    const isBudget = value === undefined || (Number.isFinite(value) && value >= 0)
    if (!isBudget)
      throw new ConfigError({ path: [option], reason: `must be milliseconds, 0 or more, not ${value}` })
  }
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxTotalTimeoutMs !== undefined && { maxTotalTimeoutMs }),
  }
}

export function metaText(meta: JsonObject | undefined): string {
  if (!meta) return ''
  const reserved = Object.keys(meta).find(isReservedMetaKey)
  if (reserved) throw new ConfigError({ path: ['meta', reserved], reason: 'is the protocol’s own key' })
  return ownMetaText(meta, undefined)
}

/** Arguments as the JSON text that goes on the wire. @throws ConfigError when they are no JSON object. */
export function argumentsText(args: JsonObject): string {
  if (!isObject(args)) throw new ConfigError({ path: ['arguments'], reason: 'must be an object' })
  try {
    return JSON.stringify(args)
  } catch (cause) {
    throw new ConfigError({
      path: ['arguments'],
      reason: `cannot be written as JSON: ${cause instanceof Error ? cause.message : cause}`,
    })
  }
}
