import { AsyncLocalStorage } from 'node:async_hooks'
import type { ElicitResult } from '../protocol/elicitation.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { type LoggingLevel, loggingLevels } from '../protocol/logging.ts'
import type { Progress, ProgressToken } from '../protocol/progress.ts'
import type { Root } from '../protocol/roots.ts'
import type { CreateMessageResult } from '../protocol/sampling.ts'
import type { Caller } from './dispatch/caller.ts'
import type { Exchange } from './dispatch/exchange.ts'
import type { Asker } from './input/asker.ts'
import type { AskOptions, Elicitation, Questions, Sampling } from './input/context-questions.ts'
import type { LogSink } from './log-sink.ts'
import type { LiveTask, TaskCall } from './tasks/live-task.ts'

/** The request a handler works for: its second parameter, and `currentRequest()` anywhere below it. */
export interface RequestContext extends Caller, Questions {
  /** Who asks, by the token of the request; undefined where the transport does not know. */
  readonly principal: string | undefined
  /** What that token may be used for; undefined where the transport does not know. */
  readonly scopes: readonly string[] | undefined
  /** What the request carries beside its arguments (`_meta`), the protocol's own keys too; nobody checked it. */
  readonly meta: JsonObject
  /** Aborts when nobody waits any more: the caller cancelled, left, or the server stops. */
  readonly signal: AbortSignal
  /** Whether a message of that level would reach the caller: worth asking before building an expensive one. */
  wantsLog(level: LoggingLevel): boolean
  /** Tells the caller, if it wants to know, and stderr always. `data` is any JSON. No secrets. */
  log(level: LoggingLevel, data: unknown): void
  /**
   * Lets the caller's connection go while the work goes on; its client comes back for the answer. Only clients of 2025-11-25 over HTTP
   * with an `eventStore` can: for all others nothing happens.
   */
  disconnect(): void
  /**
   * Tells how far the work is, if the caller asked to hear; `progress` must grow, and what does not is not sent. In a task it becomes
   * the task's `statusMessage`.
   */
  progress(report: Progress): void
  /**
   * In a tool with `taskStart: 'handler'`: makes a task of the call, and resolves when its caller can ask for it. What was asked before
   * was asked in rounds; from here on questions are the task's, and the handler waits for their answers. Nothing changes where the
   * caller takes no tasks, or the call is one already. @throws ProtocolError when no more tasks are kept
   */
  startTask(): Promise<void>
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
  readonly meta: JsonObject
  readonly progressToken: ProgressToken | undefined
  readonly logSink: LogSink
  readonly asker: Asker
}

/** Whether a call may still become a task. */
type Course =
  | { readonly kind: 'call' }
  | { readonly kind: 'mayStartTask'; readonly start: () => Promise<void> }
  | { readonly kind: 'starting'; readonly started: Promise<void> }
  | { readonly kind: 'task'; readonly task: LiveTask }

export class Request implements RequestContext {
  readonly #parts: RequestParts
  #progress = Number.NEGATIVE_INFINITY
  #course: Course = { kind: 'call' }

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

  get meta() {
    return this.#parts.meta
  }

  get signal() {
    return this.#parts.exchange.cancellation.signal
  }

  /** All that a task takes over of it. */
  get taskCall(): Omit<TaskCall, 'outcome'> {
    const { exchange, caller } = this.#parts
    const { principal, client, cancellation } = exchange
    return { principal, client, cancellation, declared: caller.clientCapabilities }
  }

  mayStartTask(start: () => Promise<void>): void {
    this.#course = { kind: 'mayStartTask', start }
  }

  async startTask(): Promise<void> {
    const course = this.#course
    switch (course.kind) {
      case 'call':
        throw new Error('Only calls of tools with taskSupport become tasks')
      case 'mayStartTask': {
        const started = course.start()
        if (this.#course === course) this.#course = { kind: 'starting', started }
        return started
      }
      case 'starting':
        return course.started
      case 'task':
        return
    }
  }

  goOnAs(task: LiveTask): void {
    this.#course = { kind: 'task', task }
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

  disconnect(): void {
    this.#parts.exchange.disconnect?.()
  }

  progress(report: Progress): void {
    if (this.#course.kind === 'task') return this.#course.task.report(report)
    const { progressToken, exchange } = this.#parts
    if (progressToken === undefined || !(report.progress > this.#progress)) return
    this.#progress = report.progress
    exchange.notify('notifications/progress', { progressToken, ...report })
  }

  async elicit(question: Elicitation, { key }: AskOptions = {}): Promise<ElicitResult> {
    return (await this.#asker.ask('elicitation/create', { ...question }, key)) as JsonObject & ElicitResult
  }

  async sample(question: Sampling, { key }: AskOptions = {}): Promise<CreateMessageResult> {
    const answer = await this.#asker.ask('sampling/createMessage', { ...question }, key)
    return answer as JsonObject & CreateMessageResult
  }

  async roots({ key }: AskOptions = {}): Promise<readonly Root[]> {
    const { roots } = await this.#asker.ask('roots/list', {}, key)
    return roots as readonly Root[]
  }

  get #asker(): Asker {
    return this.#course.kind === 'task' ? this.#course.task : this.#parts.asker
  }
}
