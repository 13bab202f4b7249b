import type { Backoff, ChildSpec } from '../../../machines/restart-rules.ts'
import {
  badOption,
  type Check,
  checkOptions,
  flag,
  hook,
  milliseconds,
  object,
  oneOf,
  text,
  texts,
  wholeOrZero,
} from '../../check-options.ts'
import {
  type ClientOptions,
  checkClientOptions,
  type HttpClientOptions,
  type StdioClientOptions,
} from '../../client/options.ts'
import type { Clock } from '../../clock.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import type { ToolFilter } from './tool-filter.ts'

/** How a provider is published. */
export interface EntryOptions extends ToolFilter {
  /** What its tools' names begin with; any text, unique in the registry. */
  readonly prefix: string
}

/** How a server is kept running. Times in ms. */
export interface SupervisionOptions {
  /** `permanent` (default): started again whenever it went down. `transient`: only after a failure. `temporary`: never. */
  readonly restart?: ChildSpec['restart']
  /** More restarts than this within `withinMs` and it is given up until `restart` is called; default 5. */
  readonly maxRestarts?: number
  /** Default 60 000. */
  readonly withinMs?: number
  /** Waits before restarts; default `{ initialMs: 250, factor: 2, maxMs: 30_000, jitter: 0.2 }`. */
  readonly backoff?: Partial<Backoff>
  /** `eager` (default): at once. `lazy`: when its tools are first wanted. */
  readonly start?: ChildSpec['start']
  /** Without calls for so long it is stopped, until the next call; default never. */
  readonly idleStopMs?: number
  /** How long calls wait for a server that is down; default 30 000. */
  readonly downWaitMs?: number
  /** Whether a call that its server died of is made once more, if the tool is annotated read-only and idempotent; default false. */
  readonly retryReads?: boolean
}

/** What to run. */
export type StdioServer = Required<Pick<StdioClientOptions, 'command'>> &
  Pick<StdioClientOptions, 'args' | 'env' | 'inheritEnv' | 'cwd'>

/** Where a server is. */
export type HttpServer = Required<Pick<HttpClientOptions, 'url'>> &
  Pick<HttpClientOptions, 'headers' | 'auth'>

/** A supervised server: how it is published, kept running, and connected to. */
export interface ServerOptions
  extends EntryOptions,
    SupervisionOptions,
    Omit<
      StdioClientOptions & HttpClientOptions,
      'transport' | 'headers' | 'auth' | keyof StdioServer | keyof HttpServer
    > {}

/** Beside its own, the defaults of all supervised servers. */
export interface RegistryOptions extends OwnOptions, SupervisionOptions, Omit<ClientOptions, 'transport'> {}

export interface OwnOptions {
  /** Between prefix and name; letters, digits, `_` and `-`; default `_`. */
  readonly separator?: string
  /** When the tools of a provider cannot be listed, and never could: `throw` (default), or `omit` it with a warning. */
  readonly onListFailure?: 'throw' | 'omit'
  /** Replaced in tests; default the system's. */
  readonly clock?: Clock
  /** Replaced in tests; default `Math.random`. */
  readonly random?: () => number
}

const entryChecks: { readonly [option in keyof Required<EntryOptions>]: Check } = {
  prefix: (value) =>
    text(value) ?? (/\p{Cc}/u.test(String(value)) ? 'must not hold control characters' : undefined),
  allow: texts,
  deny: texts,
}

const supervisionChecks: { readonly [option in keyof Required<SupervisionOptions>]: Check } = {
  restart: oneOf('permanent', 'transient', 'temporary'),
  maxRestarts: wholeOrZero,
  withinMs: milliseconds,
  backoff: object,
  start: oneOf('eager', 'lazy'),
  idleStopMs: milliseconds,
  downWaitMs: milliseconds,
  retryReads: flag,
}

const backoffChecks: { readonly [option in keyof Backoff]: Check } = {
  initialMs: milliseconds,
  factor: (value) =>
    Number.isFinite(value) && Number(value) >= 1 ? undefined : 'must be a number, 1 or more',
  maxMs: milliseconds,
  jitter: (value) =>
    typeof value === 'number' && value >= 0 && value <= 1 ? undefined : 'must be a number from 0 to 1',
}

const ownChecks: { readonly [option in keyof Required<OwnOptions>]: Check } = {
  separator: (value) =>
    typeof value === 'string' && /^[a-zA-Z0-9_-]{0,16}$/.test(value)
      ? undefined
      : 'must be at most 16 letters, digits, `_` and `-`',
  onListFailure: oneOf('throw', 'omit'),
  clock: object,
  random: hook,
}

/** @throws ConfigError */
export function checkEntryOptions(options: EntryOptions): void {
  checkOptions(options, entryChecks)
  if (options.prefix === undefined)
    throw badOption('prefix', 'is missing: what the names of its tools begin with')
}

export interface ServerParts {
  readonly entry: EntryOptions
  readonly supervision: SupervisionOptions
  /** What is left: a client checks it. */
  readonly client: Omit<ServerOptions, keyof EntryOptions | keyof SupervisionOptions>
}

/** @throws ConfigError */
export function serverParts(options: ServerOptions): ServerParts {
  const { own: entry, rest } = divide(options, entryChecks)
  checkEntryOptions(entry)
  const { own: supervision, rest: client } = divide(rest, supervisionChecks)
  checkSupervision(supervision)
  if ('transport' in client)
    throw badOption('transport', 'cannot be opened again after a failure; add a client made with it instead')
  return { entry, supervision, client }
}

export interface RegistryParts {
  readonly own: OwnOptions
  /** Defaults of every server. */
  readonly supervision: SupervisionOptions
  readonly client: ClientOptions
}

/** @throws ConfigError */
export function registryParts(options: RegistryOptions): RegistryParts {
  const { own, rest } = divide(options, ownChecks)
  checkOptions(own, ownChecks)
  const { own: supervision, rest: client } = divide(rest, supervisionChecks)
  checkSupervision(supervision)
  if ('transport' in client) throw badOption('transport', 'is one connection of one server')
  checkClientOptions(client)
  return { own, supervision, client }
}

export function childSpec(options: SupervisionOptions): ChildSpec {
  return {
    restart: options.restart ?? 'permanent',
    maxRestarts: options.maxRestarts ?? 5,
    withinMs: options.withinMs ?? 60_000,
    backoff: { initialMs: 250, factor: 2, maxMs: 30_000, jitter: 0.2, ...options.backoff },
    start: options.start ?? 'eager',
    idleStopMs: options.idleStopMs,
  }
}

function checkSupervision(options: SupervisionOptions): void {
  checkOptions(options, supervisionChecks)
  if (!options.backoff) return
  checkOptions(options.backoff, backoffChecks, ['backoff'])
}

/** The options a table knows, and the others. */
function divide<Options extends object, Own extends object>(
  options: Options,
  checks: { readonly [option in keyof Own]: Check },
): { readonly own: Pick<Options, keyof Own & keyof Options>; readonly rest: Omit<Options, keyof Own> } {
  const given: unknown = options
  if (!isObject(given)) throw badOption('options', 'must be an object')
  const entries = Object.entries(given)
  const isOwn = ([name]: readonly [string, unknown]) => Object.hasOwn(checks, name)
  return {
    own: Object.fromEntries(entries.filter(isOwn)) as Pick<Options, keyof Own & keyof Options>,
    rest: Object.fromEntries(entries.filter((entry) => !isOwn(entry))) as Omit<Options, keyof Own>,
  }
}
