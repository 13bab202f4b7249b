import { checkOptions, wholeNumber } from '../../check-options.ts'
import type { StoredTask, TaskStore } from './task-store.ts'

/** Past any of these no new task is taken until the time of some is over: what was promised is kept. */
export interface MemoryTaskStoreOptions {
  /** Default 1000. */
  readonly maxTasks?: number
  /** So many are of one principal, where the transport knows any; default a quarter of `maxTasks`. */
  readonly maxTasksEach?: number
  /** Of all tasks as JSON text, above all of their results; default 64 MiB. */
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
    checkOptions(options, { maxTasks: wholeNumber, maxTasksEach: wholeNumber, maxBytes: wholeNumber })
    const { maxTasks = 1_000, maxBytes = 64 * 1024 * 1024 } = options
    const { maxTasksEach = Math.ceil(maxTasks / 4) } = options
    this.#limits = { maxTasks, maxTasksEach, maxBytes }
  }

  save(stored: StoredTask): void {
    const { taskId } = stored.task
    const before = this.#tasks.get(taskId)
    if (!before) this.#admit(stored)
    const bytes = JSON.stringify(stored.task).length
    this.#bytes += bytes - (before?.bytes ?? 0)
    this.#tasks.set(taskId, { stored, bytes })
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

  /** @throws Error that says what there is too much of */
  #admit({ principal }: StoredTask): void {
    const { maxTasks, maxTasksEach, maxBytes } = this.#limits
    const own = principal === undefined ? 0 : (this.#counts.get(principal) ?? 0)
    if (this.#tasks.size >= maxTasks) throw tooMany(`${maxTasks} tasks`)
    if (own >= maxTasksEach) throw tooMany(`${maxTasksEach} tasks of yours`)
    if (this.#bytes >= maxBytes) throw tooMany(`${this.#bytes} bytes of tasks`)
    this.#count(principal, 1)
  }

  #count(principal: string | undefined, by: 1 | -1): void {
    if (principal === undefined) return
    const count = (this.#counts.get(principal) ?? 0) + by
    if (count > 0) this.#counts.set(principal, count)
    else this.#counts.delete(principal)
  }
}

function tooMany(what: string): Error {
  return new Error(`${what} are kept already; try again later`)
}
