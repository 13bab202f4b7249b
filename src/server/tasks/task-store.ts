import type { DetailedTask } from '../../protocol/tasks.ts'

/** A task as it is kept. */
export interface StoredTask {
  /** Whose it is: nobody else is told of it. Undefined where the transport knows nobody. */
  readonly principal: string | undefined
  readonly task: DetailedTask
}

/**
 * Where the tasks of a server are kept, and can be read again after it. Writes of one task come one after the other. A store that
 * outlives the process keeps how tasks stood and what came of them; their work does not go on, and what has outlived its `ttlMs`
 * by then is the store's to remove.
 */
export interface TaskStore {
  /** Keeps a task that is new, or has changed. Its client hears of a new one when this has settled. Throwing refuses it. */
  save(stored: StoredTask): void | Promise<void>
  find(taskId: string): StoredTask | undefined | Promise<StoredTask | undefined>
  /** Its time is over. */
  delete(taskId: string): void | Promise<void>
}
