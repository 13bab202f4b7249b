import { checkOptions, wholeNumber } from '../../check-options.ts'
import type { StoredTask, TaskStore } from './task-store.ts'

export interface MemoryTaskStoreOptions {
  /** Past so many no more are taken until the time of some is over; default 1000. */
  readonly maxTasks?: number
}

/** In this process, and no longer than it. */
export class MemoryTaskStore implements TaskStore {
  readonly #tasks = new Map<string, StoredTask>()
  readonly #maxTasks: number

  /** @throws ConfigError */
  constructor(options: MemoryTaskStoreOptions = {}) {
    checkOptions(options, { maxTasks: wholeNumber })
    this.#maxTasks = options.maxTasks ?? 1_000
  }

  save(stored: StoredTask): void {
    const { taskId } = stored.task
    if (!this.#tasks.has(taskId) && this.#tasks.size >= this.#maxTasks)
      throw new Error(`${this.#maxTasks} tasks are kept already; try again later`)
    this.#tasks.set(taskId, stored)
  }

  find(taskId: string): StoredTask | undefined {
    return this.#tasks.get(taskId)
  }

  delete(taskId: string): void {
    this.#tasks.delete(taskId)
  }
}
