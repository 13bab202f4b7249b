import { checkOptions, wholeNumber } from '../../check-options.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import { isOver } from '../../protocol/tasks.ts'
import type { StoredTask, TaskStore } from './task-store.ts'

/** Past any of these no new task is taken until the time of some is over. */
export interface MemoryTaskStoreOptions {
  /** Default 1000. */
  readonly maxTasks?: number
  /** So many are of one principal, where the transport knows any; default a quarter of `maxTasks`. */
  readonly maxTasksEach?: number
  /**
   * Of all tasks as JSON text, above all of their results; default 64 MiB. Each counts as 1 KiB at least. A task whose result does not
   * fit any more is kept as failed, and says why.
   */
  readonly maxBytes?: number
}

interface Entry {
  readonly stored: StoredTask
  readonly bytes: number
}

/** In this process, and no longer than it. */
export class MemoryTaskStore implements TaskStore {
  readonly #tasks = new Map<string, Entry>()
  readonly #counts = new Map<string, number>()
  readonly #limits: Required<MemoryTaskStoreOptions>
  #bytes = 0

  /** @throws ConfigError */
  constructor(options: MemoryTaskStoreOptions = {}) {
    checkOptions(options, { maxTasks: wholeNumber, maxTasksEach: wholeNumber, maxBytes: enoughBytes })
    const { maxTasks = 1_000, maxBytes = 64 * 1024 * 1024 } = options
    const { maxTasksEach = Math.ceil(maxTasks / 4) } = options
    this.#limits = { maxTasks, maxTasksEach, maxBytes }
  }

  /** @throws Error for a new task too many, and for what one that goes on says of itself and does not fit */
  save(stored: StoredTask): void {
    const before = this.#tasks.get(stored.task.taskId)
    const entry = entryOf(stored)
    if (!before) this.#admit(entry)
    this.#keep(!before || this.#fits(entry, before) ? entry : asFailed(entry), before)
  }

  find(taskId: string): StoredTask | undefined {
    return this.#tasks.get(taskId)?.stored
  }

  delete(taskId: string): void {
    const entry = this.#tasks.get(taskId)
    if (!entry) return
    this.#tasks.delete(taskId)
    this.#bytes -= entry.bytes
    this.#count(entry.stored.principal, -1)
  }

  #keep(entry: Entry, before: Entry | undefined): void {
    this.#bytes += entry.bytes - (before?.bytes ?? 0)
    this.#tasks.set(entry.stored.task.taskId, entry)
  }

  /** What takes no more than it did fits always. */
  #fits({ bytes }: Entry, before?: Entry): boolean {
    const had = before?.bytes ?? 0
    return bytes <= had || this.#bytes - had + bytes <= this.#limits.maxBytes
  }

  /** @throws Error that says what there is too much of */
  #admit(entry: Entry): void {
    const { principal } = entry.stored
    const { maxTasks, maxTasksEach } = this.#limits
    const own = principal === undefined ? 0 : (this.#counts.get(principal) ?? 0)
    if (this.#tasks.size >= maxTasks) throw tooMany(`${maxTasks} tasks`)
    if (own >= maxTasksEach) throw tooMany(`${maxTasksEach} tasks of yours`)
    if (!this.#fits(entry)) throw tooMany(`${this.#bytes} bytes of tasks`)
    this.#count(principal, 1)
  }

  #count(principal: string | undefined, by: 1 | -1): void {
    if (principal === undefined) return
    const count = (this.#counts.get(principal) ?? 0) + by
    if (count > 0) this.#counts.set(principal, count)
    else this.#counts.delete(principal)
  }
}

/** So there is always room to say how it ended. */
const leastBytes = 1_024

function enoughBytes(value: unknown): string | undefined {
  return wholeNumber(value) ?? (Number(value) < leastBytes ? `must be at least ${leastBytes}` : undefined)
}

function entryOf(stored: StoredTask): Entry {
  const bytes = Buffer.byteLength(JSON.stringify(stored.task))
  return { stored, bytes: Math.max(leastBytes, bytes) }
}

/** What is kept of a task for which there is no room. @throws Error for one that goes on: it stays as it was kept */
function asFailed({ stored: { principal, task }, bytes }: Entry): Entry {
  const message = `There is no room for its ${bytes} bytes beside those of other tasks: ask for less, or try again later`
  if (!isOver(task.status)) throw new Error(message)
  const { result: _, ...said } = task
  const error = { code: ErrorCode.InternalError, message }
  return entryOf({ principal, task: { ...said, status: 'failed', statusMessage: message, error } })
}

function tooMany(what: string): Error {
  return new Error(`${what} are kept already; try again later`)
}
