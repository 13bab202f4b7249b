import type { Budget } from '../../workers/frames.ts'
import { abortSignal, type Check, checkOptions, flag, hook, milliseconds, object } from '../check-options.ts'
import { ConfigError } from '../errors.ts'
import { isObject, type JsonObject } from '../protocol/json-rpc.ts'
import { isReservedMetaKey } from '../protocol/meta.ts'
import type { Progress, ProgressToken } from '../protocol/progress.ts'
import { ownMetaText } from '../protocol/requests.ts'
import type { Task } from '../protocol/tasks.ts'
import { thrownMessage } from '../thrown-message.ts'

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

export interface ReadOptions extends CallOptions, Pick<ListOptions, 'refresh'> {}

type Checks<Options> = { readonly [option in keyof Required<Options>]: Check }

const callChecks: Checks<CallOptions> = {
  signal: abortSignal,
  timeoutMs: milliseconds,
  maxTotalTimeoutMs: milliseconds,
  progressToken: (value) =>
    typeof value === 'string' || Number.isSafeInteger(value) ? undefined : 'must be a string or an integer',
  onProgress: hook,
  onTask: hook,
  meta: object,
}

const listChecks: Checks<ListOptions> = {
  signal: abortSignal,
  timeoutMs: milliseconds,
  maxTotalTimeoutMs: milliseconds,
  refresh: flag,
}

const readChecks: Checks<ReadOptions> = { ...callChecks, refresh: flag }

/** Refuses what is no option of a call, or of a wrong type: a typo must not become a default. @throws ConfigError */
export function checkCallOptions(options: CallOptions): void {
  checkOptions(options, callChecks)
}

/** @throws ConfigError */
export function checkListOptions(options: ListOptions): void {
  checkOptions(options, listChecks)
}

/** @throws ConfigError */
export function checkReadOptions(options: ReadOptions): void {
  checkOptions(options, readChecks)
}

export function budgetOf({ timeoutMs, maxTotalTimeoutMs }: CallOptions): Budget | undefined {
  if (timeoutMs === undefined && maxTotalTimeoutMs === undefined) return undefined
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

function jsonText(option: string, value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'undefined'
  } catch (cause) {
    const reason = `cannot be written as JSON: ${thrownMessage(cause)}`
    throw new ConfigError({ path: [option], reason }, { cause })
  }
}
