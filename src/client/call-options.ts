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

const known: ReadonlySet<string> = new Set([
  'signal',
  'timeoutMs',
  'maxTotalTimeoutMs',
  'progressToken',
  'onProgress',
  'onTask',
  'meta',
  'refresh',
])

/** Refuses what is no option of a call, or of a wrong type: a typo must not become a default. @throws ConfigError */
export function checkCallOptions(options: CallOptions): void {
  for (const [option, value] of Object.entries(options)) {
    if (!known.has(option))
      throw new ConfigError({ path: [option], reason: `is no option; known are ${[...known].join(', ')}` })
    const isBad =
      value !== undefined &&
      ((option.startsWith('on') && typeof value !== 'function') ||
        (option === 'signal' && !(value instanceof AbortSignal)))
    if (isBad)
      throw new ConfigError({
        path: [option],
        reason: option === 'signal' ? 'must be an AbortSignal' : 'must be a function',
      })
  }
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
  jsonText('meta', meta)
  return ownMetaText(meta, undefined)
}

/** Arguments as the JSON text that goes on the wire. @throws ConfigError when they are no JSON object. */
export function argumentsText(args: object): string {
  if (!isObject(args)) throw new ConfigError({ path: ['arguments'], reason: 'must be an object' })
  const text = jsonText('arguments', args)
  if (!text.startsWith('{'))
    throw new ConfigError({ path: ['arguments'], reason: 'must be an object also as JSON' })
  return text
}

/** A name or URI as JSON. @throws ConfigError */
export function nameText(option: string, name: string): string {
  if (typeof name !== 'string')
    throw new ConfigError({ path: [option], reason: `must be a string, not ${typeof name}` })
  return JSON.stringify(name)
}

/** @throws ConfigError */
export function checkToken(token: unknown): void {
  const isToken = token === undefined || typeof token === 'string' || Number.isSafeInteger(token)
  if (!isToken) throw new ConfigError({ path: ['progressToken'], reason: 'must be a string or an integer' })
}

function jsonText(option: string, value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'undefined'
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : cause
    throw new ConfigError({ path: [option], reason: `cannot be written as JSON: ${why}` }, { cause })
  }
}
