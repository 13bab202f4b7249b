import type { Trace } from '../../workers/frames.ts'
import type { AuthOptions } from '../auth/auth-options.ts'
import { checkAuthOptions } from '../auth/check-auth-options.ts'
import type { CallProgress } from '../bridge/provider.ts'
import {
  badOption,
  type Check,
  checkOptions,
  flag,
  hook,
  json,
  milliseconds,
  object,
  oneOf,
  text,
  textMap,
  texts,
  wholeNumber,
} from '../check-options.ts'
import type { ClientCapabilities } from '../protocol/capabilities.ts'
import { isObject } from '../protocol/json-rpc.ts'
import { isLoggingLevel, type LoggingLevel, type LogMessage, loggingLevels } from '../protocol/logging.ts'
import { type Era, isLegacyVersion, isModernVersion, modernVersions } from '../protocol/versions.ts'
import { parseEndpoint } from '../transports/http/endpoint.ts'
import type { HttpOptions } from '../transports/http/http-options.ts'
import type { StdioOptions } from '../transports/stdio/stdio-transport.ts'
import type { Transport } from '../transports/transport.ts'
import type { HeaderSource } from './hook-desk.ts'
import type { Hooks } from './hooks.ts'
import type { Inspect } from './inspection/inspect.ts'

/** Options of every client, whatever its wire. Times in ms. */
export interface ClientOptions extends Hooks {
  /** What servers are told; default `mcp-troupe` and its version. */
  readonly clientName?: string
  readonly clientVersion?: string
  /** Modern versions this client speaks, best first; default all it knows. Legacy ones are reached by handshake, never named here. */
  readonly protocolVersions?: readonly string[]
  /** `auto` (default) probes; the others skip the probe, or the fallback. */
  readonly era?: 'auto' | Era
  /** Bounds opening the wire; default 30 000, and 10 000 for each connection over HTTP. */
  readonly connectTimeoutMs?: number
  /** The probe's own budget; default 5000. */
  readonly probeTimeoutMs?: number
  /** Default `timeoutMs` of a call; default 60 000; 0: no budget. */
  readonly requestTimeoutMs?: number
  /** Caps every call, whatever progress says; default 0: no cap. */
  readonly maxTotalTimeoutMs?: number
  /** Retries of one call that keeps asking for input; default 8. */
  readonly maxInputRounds?: number
  /** Declares the tasks extension: a modern server may answer a tool call with a task, which is polled to its end; default false. */
  readonly tasks?: boolean
  /** Calls of one `executeToolCalls` that run at once, where the server says its tools allow it; default 4; 1: one by one. */
  readonly toolConcurrency?: number
  /** Cuts the text of each tool result for a model, and says so in it; in characters; default none. */
  readonly maxResultChars?: number
  /** Without it a modern server sends no log messages at all. */
  readonly logLevel?: LoggingLevel
  /** Replaces what is derived from the hooks, member by member. */
  readonly clientCapabilities?: ClientCapabilities
  /** `worker` (default): a thread of the pool. `inline`: the caller's own thread. */
  readonly hosting?: 'worker' | 'inline'
  /** A ready-made wire instead of the one this would open; implies `hosting: 'inline'`. */
  readonly transport?: Transport
  /** Log messages of the server. */
  readonly onLog?: (message: LogMessage) => void
  /** Progress of every call that `executeToolCalls` makes. */
  readonly onProgress?: (report: CallProgress) => void
  /** Everything that was papered over: noise, declined hooks, late answers. Rate limited. */
  readonly onWarn?: (message: string) => void
  /** Every message on the wire, both ways. Costs a copy of each: for debugging. */
  readonly onTrace?: (trace: Trace) => void
  /** Watches the machines and the wire: an XState inspection observer or function. Of `serveInspector`, its `observer`. */
  readonly inspect?: Inspect
  /** What inspectors call this connection; default its command or host. */
  readonly inspectAs?: string
}

export interface StdioClientOptions extends ClientOptions, Partial<StdioOptions> {
  /** Every line of the server's stderr. */
  readonly onStderr?: (line: string) => void
}

export interface HttpClientOptions extends ClientOptions, Partial<Omit<HttpOptions, 'headers'>> {
  /** Sent with every request, never to another origin; a function is asked before each, e.g. for a fresh token. */
  readonly headers?: { readonly [name: string]: string } | HeaderSource
  /** How to get through where the server wants a token; default: its refusal is an AuthorizationError. */
  readonly auth?: AuthOptions
}

const clientChecks: { readonly [option in keyof Required<ClientOptions>]: Check } = {
  clientName: text,
  clientVersion: text,
  protocolVersions: versions,
  era: oneOf('auto', 'modern', 'legacy'),
  connectTimeoutMs: milliseconds,
  probeTimeoutMs: milliseconds,
  requestTimeoutMs: milliseconds,
  maxTotalTimeoutMs: milliseconds,
  maxInputRounds: wholeNumber,
  tasks: flag,
  toolConcurrency: wholeNumber,
  maxResultChars: wholeNumber,
  logLevel: (value) => (isLoggingLevel(value) ? undefined : `must be one of ${loggingLevels.join(', ')}`),
  clientCapabilities: json,
  hosting: oneOf('worker', 'inline'),
  transport: object,
  onElicit: hook,
  onSample: hook,
  onListRoots: hook,
  onLog: hook,
  onProgress: hook,
  onWarn: hook,
  onTrace: hook,
  inspect: observer,
  inspectAs: text,
}

const stdioChecks: {
  readonly [option in Exclude<keyof Required<StdioClientOptions>, keyof ClientOptions>]: Check
} = {
  command: text,
  args: texts,
  env: textMap,
  inheritEnv: flag,
  cwd: text,
  killGraceMs: milliseconds,
  stderrLines: wholeNumber,
  maxMessageBytes: wholeNumber,
  onStderr: hook,
}

const httpChecks: {
  readonly [option in Exclude<keyof Required<HttpClientOptions>, keyof ClientOptions>]: Check
} = {
  url: text,
  headers: (value) => (typeof value === 'function' ? undefined : textMap(value)),
  auth: object,
  idleTimeoutMs: milliseconds,
  maxMessageBytes: wholeNumber,
  proxy: flag,
}

/** Every option of a client on stdio, and of one on a URL. */
export const stdioOptionNames: readonly string[] = Object.keys({ ...clientChecks, ...stdioChecks })
export const httpOptionNames: readonly string[] = Object.keys({ ...clientChecks, ...httpChecks })

/** Refuses what is no option of every client. @throws ConfigError */
export function checkClientOptions(options: ClientOptions): void {
  checkOptions(options, clientChecks)
}

/** Refuses anything unknown, badly typed or contradictory, before anything starts. @throws ConfigError */
export function checkStdioOptions(options: StdioClientOptions): void {
  checkOptions(options, { ...clientChecks, ...stdioChecks })
  checkWire(options, stdioChecks)
  if (!options.transport && options.command === undefined)
    throw badOption('command', 'is missing: the program to run')
}

/** The same for a server on a URL. @throws ConfigError */
export function checkHttpOptions(options: HttpClientOptions): void {
  checkOptions(options, { ...clientChecks, ...httpChecks })
  checkWire(options, httpChecks)
  if (!options.transport && options.url === undefined)
    throw badOption('url', 'is missing: where the server is')
  if (options.url !== undefined) parseEndpoint(options.url)
  if (options.auth !== undefined) checkAuth(options)
}

/** One of them would go unheard. */
function checkAuth({ auth, url, headers }: HttpClientOptions): void {
  checkAuthOptions(auth, url)
  const own =
    typeof headers === 'object' && Object.keys(headers).find((name) => /^(authorization|dpop)$/i.test(name))
  if (own) throw badOption('auth', `stands beside the header ${own}; a request has one of them`)
}

/** A ready-made wire leaves nothing to configure, and stays on the thread it was made on. */
function checkWire(options: ClientOptions, checks: object): void {
  if (!options.transport) return
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const wireOption = given.find(([name]) => Object.hasOwn(checks, name))
  if (wireOption) throw badOption(wireOption[0], 'configures a wire, but `transport` already is one')
  const mustBeInline = options.hosting === 'worker'
  if (mustBeInline)
    throw badOption('hosting', "must be 'inline' with a ready-made transport: it cannot cross into a thread")
}

function observer(value: unknown): string | undefined {
  const next = isObject(value) ? value.next : value
  return typeof next === 'function' || (isObject(value) && next === undefined)
    ? undefined
    : 'must be an XState inspection observer, or a function'
}

function versions(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return 'must be a non-empty array of versions'
  const legacy = value.find(isLegacyVersion)
  if (legacy) return `names ${legacy}, a legacy version: those are reached by handshake and always available`
  return value.every(isModernVersion) ? undefined : `must be among ${modernVersions.join(', ')}`
}
