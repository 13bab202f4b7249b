import {
  badOption,
  type Check,
  checkOptions,
  flag,
  milliseconds,
  object,
  portNumber,
  string,
  text,
  wholeNumber,
} from '../../check-options.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import { isLoopback } from './admission.ts'
import { type Authorization, checkAuthorization } from './authorization/authorization.ts'
import type { EventStore } from './legacy/event-store.ts'
import { originComplaint } from './origin.ts'

/** Of a server on HTTP, wherever it is mounted. Times in ms. */
export interface HttpEndpointOptions {
  /** Lets in only whom it knows, by bearer token; default everybody. */
  readonly authorization?: Authorization
  /** Origins of browsers that may come besides loopback ones: exact, or a pattern. Default none. */
  readonly allowedOrigins?: readonly (string | RegExp)[]
  /** Whether requests without an Origin are taken, as all that are from no browser; default true. */
  readonly allowNoOrigin?: boolean
  /** Names a request may call this host by (lower case, no port), besides loopback ones; default any, unless it listens on loopback only: then none. */
  readonly allowedHosts?: readonly string[]
  /** A call that is quiet for so long is told to be alive; default 15 000. */
  readonly keepAliveMs?: number
  /** Serves legacy clients too, each in a session of its own; default false. Sessions live in this process. */
  readonly legacy?: boolean
  /** Past so many the session used longest ago is ended; default 1000. */
  readonly maxSessions?: number
  /** A session that is not used for so long is ended; default 1 800 000. */
  readonly sessionIdleMs?: number
  /**
   * Keeps what is said on streams of legacy clients, so that one that lost its connection gets the rest: `new MemoryEventStore()`.
   * Default none: what is lost is lost.
   */
  readonly eventStore?: EventStore
  /** How long such a client is to wait before it comes back; default 1000. */
  readonly retryMs?: number
  /** Past so many requests under way, of all clients, others are refused with 503; default 10 000. */
  readonly maxRequests?: number
  /** A larger body is refused with 413; default 4 MiB. */
  readonly maxMessageBytes?: number
}

export interface ServeHttpOptions extends HttpEndpointOptions {
  /** Default `127.0.0.1`. Anything else is for behind a proxy that encrypts and knows who asks. */
  readonly host?: string
  /** Default 8080; 0 picks one. */
  readonly port?: number
  /** Default `mcp`. */
  readonly path?: string
  /** The headers of a request have to come within it; default 10 000. */
  readonly headersTimeoutMs?: number
  /** All of a request has to come within it; default 60 000. */
  readonly requestTimeoutMs?: number
  /** An answer of which its client reads nothing for so long is given up; default 60 000. */
  readonly stallTimeoutMs?: number
  /** What is under way has so long to be answered when it closes; default 2000. */
  readonly closeGraceMs?: number
}

const endpointChecks: { readonly [option in keyof Required<HttpEndpointOptions>]: Check } = {
  authorization: object,
  allowedOrigins: originsComplaint,
  allowNoOrigin: flag,
  allowedHosts: (value) =>
    Array.isArray(value) && value.every(isHostname)
      ? undefined
      : 'must be an array of names of hosts, in lower case, without scheme and port',
  keepAliveMs: (value) => milliseconds(value) ?? (value === 0 ? 'must be above 0' : undefined),
  legacy: flag,
  maxSessions: wholeNumber,
  sessionIdleMs: milliseconds,
  eventStore: (value) =>
    isObject(value) && ['append', 'after', 'forget'].every((method) => typeof value[method] === 'function')
      ? undefined
      : 'must be a store with append, after and forget',
  retryMs: milliseconds,
  maxRequests: wholeNumber,
  maxMessageBytes: wholeNumber,
}

function originsComplaint(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be an array of strings and regular expressions'
  for (const origin of value) {
    if (origin instanceof RegExp) continue
    if (typeof origin !== 'string') return 'must be an array of strings and regular expressions'
    const complaint = originComplaint(origin)
    if (complaint) return `${complaint}, not ${JSON.stringify(origin).slice(0, 200)}`
  }
  return undefined
}

/** As requests are compared with: anything else would never be one. */
function isHostname(host: unknown): boolean {
  return (
    typeof host === 'string' && URL.canParse(`http://${host}`) && new URL(`http://${host}`).hostname === host
  )
}

/** @throws ConfigError */
export function checkEndpointOptions(options: HttpEndpointOptions): void {
  checkOptions(options, endpointChecks)
  checkAuthorization(options.authorization, false)
}

/** @throws ConfigError */
export function checkServeHttpOptions(options: ServeHttpOptions): void {
  checkOptions(options, {
    ...endpointChecks,
    host: text,
    port: portNumber,
    path: string,
    headersTimeoutMs: wholeNumber,
    requestTimeoutMs: wholeNumber,
    stallTimeoutMs: wholeNumber,
    closeGraceMs: milliseconds,
  })
  checkAuthorization(options.authorization, isLoopback(options.host ?? '127.0.0.1'))
  if (/[?#\s]/.test(options.path ?? '')) throw badOption('path', 'must be a path, without query or fragment')
}
