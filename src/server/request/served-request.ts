import type { ElicitResult } from '../../protocol/elicitation.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { type LoggingLevel, loggingLevels } from '../../protocol/logging.ts'
import type { Progress, ProgressToken } from '../../protocol/progress.ts'
import type { Root } from '../../protocol/roots.ts'
import type { CreateMessageResult } from '../../protocol/sampling.ts'
import type { Caller } from '../dispatch/caller.ts'
import type { Exchange } from '../dispatch/exchange.ts'
import type { Asker } from '../input/asker.ts'
import type { AskOptions, Elicitation, Sampling } from '../input/context-questions.ts'
import type { LogSink } from '../log-sink.ts'
import type { LiveTask, TaskCall } from '../tasks/live-task.ts'
import type { RequestContext } from './request-context.ts'

export interface ServedRequestParts {
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

/** One request under way, as its handler has it. */
export class ServedRequest implements RequestContext {
  readonly #parts: ServedRequestParts
  #progress = Number.NEGATIVE_INFINITY
  #course: Course = { kind: 'call' }

  constructor(parts: ServedRequestParts) {
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
