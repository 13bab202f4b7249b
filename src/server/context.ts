import { AsyncLocalStorage } from 'node:async_hooks'
import type { ElicitResult } from '../protocol/elicitation.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { type LoggingLevel, loggingLevels } from '../protocol/logging.ts'
import type { Progress, ProgressToken } from '../protocol/progress.ts'
import type { Caller } from './dispatch/caller.ts'
import type { Exchange } from './dispatch/exchange.ts'
import type { Asker } from './input/asker.ts'
import type {
  AskOptions,
  Elicitation,
  Questions,
  Root,
  Sampling,
  SamplingResult,
} from './input/context-questions.ts'
import type { LogSink } from './log-sink.ts'

/** The request a handler works for: its second parameter, and `currentRequest()` anywhere below it. */
export interface RequestContext extends Caller, Questions {
  /** Who asks, by the token of the request; undefined where the transport does not know. */
  readonly principal: string | undefined
  /** What that token may be used for; undefined where the transport does not know. */
  readonly scopes: readonly string[] | undefined
  /** Aborts when nobody waits any more: the caller cancelled, left, or the server stops. */
  readonly signal: AbortSignal
  /** Whether a message of that level would reach the caller: worth asking before building an expensive one. */
  wantsLog(level: LoggingLevel): boolean
  /** Tells the caller, if it wants to know, and stderr always. `data` is any JSON. No secrets. */
  log(level: LoggingLevel, data: unknown): void
  /** Tells how far the work is, if the caller asked to hear; `progress` must grow, and what does not is not sent. */
  progress(report: Progress): void
}

/** The request that the calling code works for; undefined outside of handlers. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore()
}

/** Runs a handler for a request. */
export function within<Value>(context: RequestContext, run: () => Value): Value {
  return storage.run(context, run)
}

/** One of the process: a toolkit that was loaded by its name may have a copy of this package of its own. */
const storage = sharedStorage()

function sharedStorage(): AsyncLocalStorage<RequestContext> {
  const key = Symbol.for('mcp-troupe/current-request')
  const there: unknown = Reflect.get(globalThis, key)
  if (there instanceof AsyncLocalStorage) return there
  const made = new AsyncLocalStorage<RequestContext>()
  Reflect.set(globalThis, key, made)
  return made
}

export interface RequestParts {
  readonly caller: Caller
  readonly exchange: Exchange
  readonly progressToken: ProgressToken | undefined
  readonly logSink: LogSink
  readonly asker: Asker
}

export class Request implements RequestContext {
  readonly #parts: RequestParts
  #progress = Number.NEGATIVE_INFINITY

  constructor(parts: RequestParts) {
    this.#parts = parts
  }

  get era() {
    return this.#parts.caller.era
  }

  get protocolVersion() {
    return this.#parts.caller.protocolVersion
  }

  get clientInfo() {
    return this.#parts.caller.clientInfo
  }

  get clientCapabilities() {
    return this.#parts.caller.clientCapabilities
  }

  get logLevel() {
    return this.#parts.caller.logLevel
  }

  get principal() {
    return this.#parts.exchange.principal
  }

  get scopes() {
    return this.#parts.exchange.scopes
  }

  get signal() {
    return this.#parts.exchange.cancellation.signal
  }

  wantsLog(level: LoggingLevel): boolean {
    const { logLevel } = this.#parts.caller
    return logLevel !== undefined && loggingLevels.indexOf(level) >= loggingLevels.indexOf(logLevel)
  }

  log(level: LoggingLevel, data: unknown): void {
    const { logSink, exchange } = this.#parts
    logSink.write(level, data)
    if (this.wantsLog(level))
      exchange.notify('notifications/message', { level, logger: logSink.logger, data })
  }

  progress(report: Progress): void {
    const { progressToken, exchange } = this.#parts
    if (progressToken === undefined || !(report.progress > this.#progress)) return
    this.#progress = report.progress
    exchange.notify('notifications/progress', { progressToken, ...report })
  }

  async elicit(question: Elicitation, { key }: AskOptions = {}): Promise<ElicitResult> {
    return (await this.#parts.asker.ask('elicitation/create', { ...question }, key)) as JsonObject &
      ElicitResult
  }

  async sample(question: Sampling, { key }: AskOptions = {}): Promise<SamplingResult> {
    const answer = await this.#parts.asker.ask('sampling/createMessage', { ...question }, key)
    return answer as JsonObject & SamplingResult
  }

  async roots({ key }: AskOptions = {}): Promise<readonly Root[]> {
    const { roots } = await this.#parts.asker.ask('roots/list', {}, key)
    return roots as readonly Root[]
  }
}
