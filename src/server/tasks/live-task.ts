import { randomUUID } from 'node:crypto'
import { type Actor, createActor, fromPromise, type SnapshotFrom } from 'xstate'
import { serverTaskMachine } from '../../../machines/index.ts'
import type { Clock } from '../../clock.ts'
import type { ClientCapabilities } from '../../protocol/capabilities.ts'
import type { JsonObject, JsonRpcErrorObject } from '../../protocol/json-rpc.ts'
import type { Progress } from '../../protocol/progress.ts'
import type { DetailedTask, TaskStatus } from '../../protocol/tasks.ts'
import type { Cancellation } from '../dispatch/cancellation.ts'
import { errorObject } from '../dispatch/reply.ts'
import type { Asker } from '../input/asker.ts'
import { TaskQuestions } from './task-questions.ts'

/** The call that becomes a task. */
export interface TaskCall {
  readonly principal: string | undefined
  /** The one client that can come back for it, where there is but one: it ends with that. */
  readonly client: object | undefined
  readonly declared: ClientCapabilities
  /** What its handler looks at. */
  readonly cancellation: Cancellation
  /** Its result, or an error of the protocol. */
  readonly outcome: Promise<JsonObject>
}

export interface TaskTimes {
  readonly ttlMs: number
  readonly pollIntervalMs: number
  readonly clock: Clock
}

type Outcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: JsonRpcErrorObject }

/** A task whose work goes on in this process, or went on and is not written yet. */
export class LiveTask implements Asker {
  readonly taskId = randomUUID()
  readonly call: TaskCall
  /** When its time is over, by its clock. */
  readonly endsAtMs: number
  readonly #questions: TaskQuestions
  /** Settles when the store has what was written last. */
  written: Promise<void> = Promise.resolve()
  readonly #pollIntervalMs: number
  readonly #onChange: (task: LiveTask) => void
  readonly #actor: Actor<typeof serverTaskMachine>
  readonly #createdAt = now()
  #updatedAt = this.#createdAt
  #message: string | undefined
  #outcome: Outcome = { kind: 'none' }

  constructor(call: TaskCall, times: TaskTimes, onChange: (task: LiveTask) => void) {
    this.call = call
    this.endsAtMs = times.clock.now() + times.ttlMs
    this.#pollIntervalMs = times.pollIntervalMs
    this.#onChange = onChange
    this.#questions = new TaskQuestions(call.declared, (key) => this.#actor.send({ type: 'ask', key }))
    const work = fromPromise<void>(({ signal }) => this.#work(signal))
    const machine = serverTaskMachine.provide({ actors: { work } })
    this.#actor = createActor(machine, { clock: times.clock, input: { ttlMs: times.ttlMs } })
  }

  /** Before that nothing of the call is touched. */
  start(): void {
    this.#actor.start()
    this.#actor.subscribe(() => this.#changed())
  }

  get isRunning(): boolean {
    return this.#actor.getSnapshot().matches('running')
  }

  get isExpired(): boolean {
    return this.#actor.getSnapshot().matches('expired')
  }

  get shown(): DetailedTask {
    const snapshot = this.#actor.getSnapshot()
    const status = statusOf(snapshot)
    return {
      taskId: this.taskId,
      status,
      ...(this.#message !== undefined && { statusMessage: this.#message }),
      createdAt: this.#createdAt,
      lastUpdatedAt: this.#updatedAt,
      ttlMs: snapshot.context.ttlMs,
      pollIntervalMs: this.#pollIntervalMs,
      ...(status === 'input_required' && { inputRequests: this.#questions.shown }),
      ...(status === 'completed' && this.#outcome.kind === 'result' && { result: this.#outcome.result }),
      ...(status === 'failed' && this.#outcome.kind === 'error' && { error: this.#outcome.error }),
    }
  }

  async ask(method: string, params: JsonObject, key: string | undefined): Promise<JsonObject> {
    if (!this.isRunning) throw new Error('The task is over')
    return this.#questions.ask(method, params, key)
  }

  /** What is over takes none. @throws ProtocolError for what is no answer, and then nothing of it is taken */
  answer(responses: unknown): void {
    if (!this.isRunning) return
    const read = this.#questions.read(responses)
    if (read.size === 0) return
    this.#actor.send({ type: 'answer', keys: [...read.keys()] })
    this.#questions.settle(read)
  }

  /** What is over stays as it is. */
  cancel(): void {
    if (this.isRunning) this.#actor.send({ type: 'cancel' })
  }

  /** Progress has no notifications of its own here: it is what the task says of itself. */
  report({ progress, total, message }: Progress): void {
    if (!this.isRunning) return
    this.#message = String(message ?? (total === undefined ? progress : `${progress} of ${total}`))
    this.#changed()
  }

  /** Forgets it at once. */
  stop(): void {
    this.cancel()
    this.#actor.stop()
  }

  /** The signal says that nobody wants it any more: cancelled, or out of time. */
  async #work(signal: AbortSignal): Promise<void> {
    const { cancellation, outcome } = this.call
    signal.addEventListener('abort', () => {
      this.#questions.withdraw()
      cancellation.abort(new Error('The task is over'))
    })
    try {
      // As it is now, and as it can be written: else the task would never be seen to end.
      const result: JsonObject = JSON.parse(JSON.stringify(await outcome))
      if (signal.aborted) return
      // Of the shape that the call itself would have been answered with.
      this.#outcome = { kind: 'result', result: { ...result, resultType: 'complete' } }
      // How far it was is no news any more.
      this.#message = undefined
    } catch (thrown) {
      if (!signal.aborted) {
        const error = errorObject(thrown)
        this.#outcome = { kind: 'error', error }
        this.#message = error.message
      }
      throw thrown
    }
  }

  #changed(): void {
    this.#updatedAt = now()
    this.#onChange(this)
  }
}

function statusOf(snapshot: SnapshotFrom<typeof serverTaskMachine>): TaskStatus {
  const { value } = snapshot
  if (typeof value === 'object') return value.running === 'working' ? 'working' : 'input_required'
  // Nobody is shown what has expired.
  return value === 'expired' ? 'cancelled' : value
}

function now(): string {
  return new Date().toISOString()
}
