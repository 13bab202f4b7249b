import type { Clock } from '../../src/clock.ts'
import { toErrorData } from '../../src/error-data.ts'
import { ProtocolError } from '../../src/errors.ts'
import type { ServerCapabilities } from '../../src/protocol/capabilities.ts'
import { ErrorCode } from '../../src/protocol/error-codes.ts'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'
import type { LoggingLevel } from '../../src/protocol/logging.ts'
import type { Warnings } from '../../src/warnings.ts'
import type { Budget, CallFrame, CallId, Downlink, ListMethod, Uplink } from '../frames.ts'
import { Catalogue, type ListOptions } from './catalogue.ts'
import type { Exchanges } from './exchange.ts'
import type { OutputSchemas } from './output-schemas.ts'
import type { Peer } from './peer.ts'
import type { Readiness } from './readiness.ts'
import type { ResultCache } from './result-cache.ts'
import type { Stamps } from './stamps.ts'
import type { Subscriptions } from './subscriptions.ts'
import type { ToolHeaders } from './tool-headers.ts'

export interface ServicesParts {
  readonly clock: Clock
  readonly exchanges: Exchanges
  readonly cache: ResultCache
  readonly schemas: OutputSchemas
  /** Only where the wire carries headers. */
  readonly toolHeaders: ToolHeaders | undefined
  readonly subscriptions: Subscriptions
  readonly readiness: Readiness
  readonly stamps: Stamps
  readonly warnings: Warnings
  readonly budget: Budget
  readonly up: (frame: Uplink) => void
}

type ServiceFrame = Exclude<Downlink, CallFrame | { kind: 'cancel' }>

/** What a host asks of a connection besides plain calls: whole lists, subscriptions, the log level. */
export class Services {
  readonly #parts: ServicesParts
  readonly #catalogue: Catalogue
  readonly #running = new Map<CallId, AbortController>()
  #hasLogging = false

  constructor(parts: ServicesParts) {
    this.#parts = parts
    this.#catalogue = new Catalogue(parts)
  }

  /** The server is known: a legacy one is told the log level, which is a setting of its session. */
  introduce(capabilities: ServerCapabilities): void {
    this.#hasLogging = capabilities.logging !== undefined
    const { readiness, stamps, warnings } = this.#parts
    const { peer } = readiness
    if (peer?.era !== 'legacy' || !stamps.logLevel || !this.#hasLogging) return
    this.#setLevel(stamps.logLevel, peer).catch((error) =>
      warnings.warn('logging/setLevel failed', String(error)),
    )
  }

  async serve(frame: ServiceFrame): Promise<void> {
    const { readiness, up, subscriptions } = this.#parts
    const abort = new AbortController()
    this.#running.set(frame.id, abort)
    try {
      const peer = await readiness.whenReady()
      if (abort.signal.aborted) return
      if (frame.kind === 'listen') return subscriptions.open(frame.id, frame.filter, peer)
      const result = await this.#do(frame, peer, abort.signal)
      up({ kind: 'result', id: frame.id, result, size: Number.POSITIVE_INFINITY })
    } catch (error) {
      up({
        kind: 'failure',
        id: frame.id,
        error: toErrorData(error),
      })
    } finally {
      this.#running.delete(frame.id)
    }
  }

  cancel(id: CallId): void {
    this.#running.get(id)?.abort()
    this.#parts.subscriptions.close(id)
  }

  /** What a server's tools are now, for our own bookkeeping. */
  async refreshTools(): Promise<void> {
    const peer = await this.#parts.readiness.whenReady()
    const signal = new AbortController().signal
    await this.#listed('tools/list', peer, { refresh: true, budget: this.#parts.budget, signal })
  }

  #do(frame: Exclude<ServiceFrame, { kind: 'listen' }>, peer: Peer, signal: AbortSignal): Promise<unknown> {
    if (frame.kind === 'setLevel') return this.#setLevel(frame.level, peer)
    const { method, refresh } = frame
    return this.#listed(method, peer, { refresh, budget: { ...this.#parts.budget, ...frame.budget }, signal })
  }

  async #listed(method: ListMethod, peer: Peer, options: ListOptions): Promise<readonly JsonObject[]> {
    const items = await this.#catalogue.list(method, peer, options)
    if (method !== 'tools/list') return items
    const { schemas, toolHeaders } = this.#parts
    const tools = toolHeaders ? toolHeaders.admit(items) : items
    schemas.learn(tools)
    return tools
  }

  /** False when the server has no logging. Modern: the level goes with every request from now on. */
  async #setLevel(level: LoggingLevel, peer: Peer): Promise<boolean> {
    const { readiness, stamps, exchanges, budget } = this.#parts
    stamps.logLevel = level
    if (peer.era === 'modern') {
      readiness.become(stamps.peer('modern', peer.version))
      return this.#hasLogging
    }
    if (!this.#hasLogging) return false
    try {
      await exchanges.request('logging/setLevel', JSON.stringify({ level }), { budget })
      return true
    } catch (error) {
      if (error instanceof ProtocolError && error.code === ErrorCode.MethodNotFound) return false
      throw error
    }
  }
}
