import {
  badOption,
  type Check,
  checkOptions,
  hook,
  object,
  oneOf,
  string,
  text,
  wholeNumber,
} from '../check-options.ts'
import type { Clock } from '../clock.ts'
import type { Icon } from '../protocol/implementation.ts'
import { isObject } from '../protocol/json-rpc.ts'
import type { LogMessage } from '../protocol/logging.ts'
import { isLegacyVersion, isModernVersion, legacyVersions, modernVersions } from '../protocol/versions.ts'
import type { ReplayStore } from './input/replay-store.ts'
import { checkThreadOptions, type ThreadOptions } from './pool/thread-options.ts'
import { icons } from './registration/icons.ts'
import { isToolkit, type ToolkitWithOptions } from './registration/toolkit.ts'
import { checkTaskOptions, type TaskOptions } from './tasks/task-options.ts'

/** What a server says about itself, and how. Times in ms. */
export interface McpServerOptions {
  readonly name: string
  /** Default `1.0.0`. */
  readonly version?: string
  readonly title?: string
  readonly description?: string
  readonly websiteUrl?: string
  readonly icons?: readonly Icon[]
  /** Advice to the model that will use it. */
  readonly instructions?: string
  /** The protocol revisions it answers for, of both eras; default all this package knows. */
  readonly protocolVersions?: readonly string[]
  /** How long clients may keep what discovery and the lists say; default 3 600 000. */
  readonly discoveryTtlMs?: number
  /** `public` says that every client is told the same; default `private`. */
  readonly cacheScope?: 'public' | 'private'
  /** Seals what clients carry between the rounds of a call that asks them something; default a random one. Share it between instances. */
  readonly stateSecret?: string
  /** How long a client may take to answer; default 600 000. */
  readonly stateTtlMs?: number
  /** Sees to it that each state is taken once; default in memory; `false`: they may come back more often, as far as they are not expired. */
  readonly replayStore?: ReplayStore | false
  /** Entries of one page of a list; default 1000. */
  readonly pageSize?: number
  /** Calls of one `executeToolCalls` that run at once, where the tools allow it; default 4; 1: one by one. */
  readonly toolConcurrency?: number
  /** Plugged from the start. `McpServer.create` takes classes and names too. */
  readonly toolkits?: readonly ToolkitWithOptions[]
  /** Of the tasks that calls become. */
  readonly tasks?: TaskOptions
  /** Of the threads for handlers in modules. */
  readonly threads?: ThreadOptions
  /** The time of tasks and timeouts; for tests. */
  readonly clock?: Clock
  /** Every log message of a handler, instead of stderr. */
  readonly onLog?: (message: LogMessage) => void
}

/** @throws ConfigError */
export function checkServerOptions(options: McpServerOptions): void {
  checkOptions(options, checks)
  if (options.name === undefined) throw badOption('name', 'is missing: what clients call this server')
  checkTaskOptions(options.tasks ?? {})
  checkThreadOptions(options.threads ?? {})
}

const checks: { readonly [option in keyof Required<McpServerOptions>]: Check } = {
  name: text,
  version: text,
  title: string,
  description: string,
  websiteUrl: string,
  icons,
  instructions: string,
  protocolVersions: versions,
  discoveryTtlMs: (value) =>
    Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : 'must be a whole number of ms, 0 or more',
  cacheScope: oneOf('public', 'private'),
  stateSecret: (value) =>
    typeof value === 'string' && value.length >= 16 ? undefined : 'must be a string of 16 characters or more',
  stateTtlMs: wholeNumber,
  replayStore: (value) =>
    value === false || (isObject(value) && typeof value.claim === 'function')
      ? undefined
      : 'must be a store with claim, or false',
  pageSize: wholeNumber,
  toolConcurrency: wholeNumber,
  toolkits: (value) =>
    Array.isArray(value) && value.every(isPluggable)
      ? undefined
      : 'must be an array of toolkits, or of [toolkit, { prefix }]; McpServer.create takes classes and names too',
  tasks: object,
  threads: object,
  clock: object,
  onLog: hook,
}

function isPluggable(entry: unknown): boolean {
  return Array.isArray(entry) ? isToolkit(entry[0]) && entry.length <= 2 : isToolkit(entry)
}

function versions(value: unknown): string | undefined {
  const isSpoken = (version: unknown) => isModernVersion(version) || isLegacyVersion(version)
  return Array.isArray(value) && value.length > 0 && value.every(isSpoken)
    ? undefined
    : `must be a non-empty array of ${[...modernVersions, ...legacyVersions].join(', ')}`
}
