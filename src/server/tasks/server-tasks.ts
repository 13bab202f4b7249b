import { AsyncResource } from 'node:async_hooks'
import { ProtocolError } from '../../errors.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import { type DetailedTask, isOver } from '../../protocol/tasks.ts'
import { thrownMessage } from '../../thrown-message.ts'
import type { LogSink } from '../log-sink.ts'
import { invalidParams } from '../methods/params.ts'
import { LiveTask, type TaskCall, type TaskTimes } from './live-task.ts'
import type { StoredTask, TaskStore } from './task-store.ts'

export interface ServerTasksParts extends TaskTimes {
  readonly store: TaskStore
  readonly logSink: LogSink
}

/** The tasks of one server. Whoever does not know an id, or is not whose it is, learns the same: nothing. */
export class ServerTasks {
  readonly #parts: ServerTasksParts
  /** Those of this process, until they are over and written: what came of them is the store's then. */
  readonly #live = new Map<string, LiveTask>()
  /** The timers of those that are. */
  readonly #kept = new Map<string, unknown>()
  /** Else each timer holds the request that made its task, and so what came of it. */
  readonly #context = new AsyncResource('mcp-troupe/tasks')
  readonly #followers = new Set<(task: LiveTask) => void>()
  /** What changed in this turn. */
  readonly #changed = new Set<LiveTask>()
  /** What waits for the store: it is then written as it stands by then. */
  readonly #unwritten = new Set<LiveTask>()
  #state: 'open' | 'closed' = 'open'

  constructor(parts: ServerTasksParts) {
    this.#parts = parts
  }

  /** Resolves when it can be asked for. @throws ProtocolError when the store takes no more */
  async begin(call: TaskCall): Promise<LiveTask> {
    const task = new LiveTask(call, this.#parts, (changed) => this.#note(changed))
    try {
      await this.#parts.store.save(stored(task))
    } catch (cause) {
      const message = `No task can be made of this call: ${thrownMessage(cause)}`
      throw new ProtocolError({ code: ErrorCode.InternalError, message }, { cause })
    }
    if (this.#state === 'closed') {
      await this.#parts.store.delete(task.taskId)
      throw new ProtocolError({ code: ErrorCode.InternalError, message: 'The server is closed' })
    }
    this.#live.set(task.taskId, task)
    task.start()
    return task
  }

  /** @throws ProtocolError when there is none of that id, for this principal */
  async find(taskId: string, principal: string | undefined): Promise<DetailedTask> {
    await this.#live.get(taskId)?.written
    const found = await this.#parts.store.find(taskId)
    if (!found || found.principal !== principal)
      throw invalidParams('There is no such task: its id is wrong, or its time is over')
    return found.task
  }

  async answer(taskId: string, principal: string | undefined, responses: unknown): Promise<void> {
    const task = await this.#reach(taskId, principal)
    task?.answer(responses)
  }

  /** Idempotent. */
  async cancel(taskId: string, principal: string | undefined): Promise<void> {
    const task = await this.#reach(taskId, principal)
    task?.cancel()
  }

  /** Of those ids, the ones somebody can be told of: they go on here, or are over. */
  async followable(
    taskIds: readonly string[],
    principal: string | undefined,
  ): Promise<readonly DetailedTask[]> {
    const found = await Promise.all(taskIds.map((id) => this.find(id, principal).catch(() => undefined)))
    const isTold = ({ taskId, status }: DetailedTask) => isOver(status) || this.#live.has(taskId)
    return found.filter((task) => task !== undefined).filter(isTold)
  }

  /** Tells of every change; those of one turn are one. Returns what stops it. */
  follow(listener: (task: DetailedTask) => unknown): () => void {
    const tell = (task: LiveTask) => listener(task.shown)
    this.#followers.add(tell)
    return () => this.#followers.delete(tell)
  }

  /** A client that alone could come back for its tasks does not. */
  left(client: object): void {
    for (const task of this.#live.values()) if (task.call.client === client) task.cancel()
  }

  close(): void {
    this.#state = 'closed'
    for (const task of this.#live.values()) task.stop()
    this.#live.clear()
    for (const timer of this.#kept.values()) this.#parts.clock.clearTimeout(timer)
    this.#kept.clear()
  }

  /** The task where it can be acted on; undefined for one that is over. */
  async #reach(taskId: string, principal: string | undefined): Promise<LiveTask | undefined> {
    const { status } = await this.find(taskId, principal)
    const task = this.#live.get(taskId)
    if (task || isOver(status)) return task
    throw new ProtocolError({
      code: ErrorCode.InternalError,
      message: 'The task does not run in this process: send what is for it where it was made',
    })
  }

  #note(task: LiveTask): void {
    if (this.#changed.size === 0) queueMicrotask(() => this.#flush())
    this.#changed.add(task)
  }

  #flush(): void {
    const changed = [...this.#changed]
    this.#changed.clear()
    for (const task of changed) {
      if (!this.#unwritten.has(task)) {
        this.#unwritten.add(task)
        task.written = task.written.then(() => this.#write(task))
      }
      if (task.isExpired) this.#live.delete(task.taskId)
      else for (const tell of [...this.#followers]) tell(task)
    }
  }

  async #write(task: LiveTask): Promise<void> {
    this.#unwritten.delete(task)
    if (task.isExpired) return this.#forget(task.taskId)
    const { isRunning } = task
    try {
      await this.#parts.store.save(stored(task))
    } catch (error) {
      return this.#parts.logSink.report('error', `A task was not kept: ${thrownMessage(error)}`)
    }
    if (!isRunning && !this.#changed.has(task) && !this.#unwritten.has(task)) this.#letGo(task)
  }

  /** All that is still to come is the end of its time. */
  #letGo(task: LiveTask): void {
    const { taskId, endsAtMs } = task
    // Its time is over, or the server is closed.
    if (!this.#live.delete(taskId)) return
    task.stop()
    const { clock } = this.#parts
    const expire = () => {
      this.#kept.delete(taskId)
      void this.#forget(taskId)
    }
    const timer = this.#context.runInAsyncScope(() => clock.setTimeout(expire, endsAtMs - clock.now()))
    this.#kept.set(taskId, timer)
  }

  async #forget(taskId: string): Promise<void> {
    try {
      await this.#parts.store.delete(taskId)
    } catch (error) {
      this.#parts.logSink.report('error', `A task was not removed: ${thrownMessage(error)}`)
    }
  }
}

function stored(task: LiveTask): StoredTask {
  return { principal: task.call.principal, task: task.shown }
}
