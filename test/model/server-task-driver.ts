import { ProtocolError } from '../../src/errors.ts'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'
import type { DetailedTask } from '../../src/protocol/tasks.ts'
import { Cancellation, MemoryTaskStore } from '../../src/server/index.ts'
import { logSink } from '../../src/server/log-sink.ts'
import type { LiveTask } from '../../src/server/tasks/live-task.ts'
import { ServerTasks } from '../../src/server/tasks/server-tasks.ts'
import { TestClock } from '../../src/testing/index.ts'
import { type Deferred, next } from './deferred.ts'
import type { ServerTaskExpectation, ServerTaskSpecificationEvent } from './server-task-specification.ts'

const ttlMs = 60_000
const form = {
  message: 'Go on?',
  requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } } },
}
const accepted = { action: 'accept', content: { ok: true } }

/** The real tasks of a server: a test's handler and client around one of them. */
export class ServerTaskDriver {
  readonly clock = new TestClock()
  /** What somebody was told who follows the task. */
  readonly told: DetailedTask[] = []
  readonly #tasks = new ServerTasks({
    store: new MemoryTaskStore(),
    logSink: logSink('test', () => {}),
    ttlMs,
    pollIntervalMs: 1_000,
    clock: this.clock,
  })
  readonly #cancellation = new Cancellation()
  readonly #outcomes: Deferred<JsonObject>[] = []
  readonly #answered: string[] = []
  #task: LiveTask | undefined
  #asked = 0

  async begin(): Promise<this> {
    this.#tasks.follow((task) => this.told.push(task))
    this.#task = await this.#tasks.begin({
      principal: 'ada',
      client: undefined,
      declared: { elicitation: {} },
      cancellation: this.#cancellation,
      outcome: next(this.#outcomes),
    })
    return this
  }

  async act({ type }: ServerTaskSpecificationEvent): Promise<void> {
    await this.#do(type)
    await this.clock.settle()
  }

  async known(): Promise<ServerTaskExpectation> {
    const task = await this.find()
    return {
      status: task?.status ?? 'unknown',
      open: Object.keys(task?.inputRequests ?? {}),
      answered: [...this.#answered],
      isAborted: this.#cancellation.isAborted,
    }
  }

  find(principal = 'ada'): Promise<DetailedTask | undefined> {
    return this.#tasks.find(this.#id, principal).catch(() => undefined)
  }

  get #id(): string {
    return this.#task?.taskId ?? ''
  }

  #do(type: ServerTaskSpecificationEvent['type']): Promise<void> | void {
    switch (type) {
      case 'the handler asks':
        return this.#ask()
      case 'the client answers the first':
        return this.#send(
          this.#tasks.answer(this.#id, 'ada', { 'elicitation-1': accepted, 'never-asked': 7 }),
        )
      case 'the client answers everything':
        return this.#send(
          this.#tasks.answer(this.#id, 'ada', { 'elicitation-1': accepted, 'elicitation-2': accepted }),
        )
      case 'the client answers with nonsense':
        return this.#send(this.#tasks.answer(this.#id, 'ada', { 'elicitation-1': 7, 'elicitation-2': 7 }))
      case 'the client cancels':
        return this.#send(this.#tasks.cancel(this.#id, 'ada'))
      case 'the handler returns':
        return this.#outcomes[0]?.resolve({ content: [] })
      case 'the handler refuses':
        return this.#outcomes[0]?.reject(new ProtocolError({ code: 7, message: 'no' }))
      case 'time is up':
        return this.#passTime()
    }
  }

  #ask(): void {
    this.#asked += 1
    const key = `elicitation-${this.#asked}`
    // Withdrawn with the task.
    const give = () => this.#answered.push(key)
    this.#task?.ask('elicitation/create', form, undefined).then(give, () => {})
  }

  /** Nonsense is refused, and so is what is for a task that is gone. */
  async #send(sent: Promise<void>): Promise<void> {
    const refusal = await sent.then(
      () => undefined,
      (error: unknown) => error,
    )
    if (refusal !== undefined && !(refusal instanceof ProtocolError && refusal.code === -32602)) throw refusal
  }

  /** To the millisecond, from its creation. */
  async #passTime(): Promise<void> {
    this.clock.advance(ttlMs - 1)
    if (!(await this.find())) throw new Error('The task was gone before its time')
    this.clock.advance(1)
  }
}
