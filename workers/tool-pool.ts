import { extname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { thrownMessage } from '../src/thrown-message.ts'
import type { ToolTask } from './tool-frames.ts'

export interface ToolPoolOptions {
  readonly maxThreads: number
  readonly memoryMb: number
}

/** Threads that run one call each, and are ended with it when it is given up. Idle ones do not keep the process alive. */
export class ToolPool {
  readonly #pool: Piscina<ToolTask, void>
  #ended: Error | undefined

  constructor({ maxThreads, memoryMb }: ToolPoolOptions) {
    this.#pool = new Piscina<ToolTask, void>({
      // Source and build differ in their extension only.
      filename: fileURLToPath(new URL(`./tool-worker${extname(import.meta.url)}`, import.meta.url)),
      // Equal, or a call that waits is forgotten when a thread dies.
      minThreads: maxThreads,
      maxThreads,
      concurrentTasksPerWorker: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
      // 'sync' would freeze what a handler left running.
      atomics: 'disabled',
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    })
    this.#pool.on('error', (error) => void this.#giveUpIfBare(error))
  }

  /** Why there are no threads any more. */
  get ended(): Error | undefined {
    return this.#ended
  }

  /** Settles when the thread is done with it; rejects when the thread died, or the signal ended it. */
  async run(task: ToolTask, signal: AbortSignal): Promise<void> {
    // Piscina would keep it waiting.
    if (this.#ended) throw this.#ended
    try {
      await this.#pool.run(task, { signal, transferList: [task.port] })
    } catch (cause) {
      await this.#giveUpIfBare(cause)
      throw cause
    }
  }

  /** Ends every thread, also those at work. */
  close(): Promise<void> {
    this.#ended ??= new Error('the server is closed')
    return this.#pool.destroy()
  }

  /** Threads that cannot even start are not replaced: whoever waits for one waits in vain. */
  async #giveUpIfBare(failure: unknown): Promise<void> {
    // One that had started is replaced in this turn.
    await setImmediate()
    if (this.#pool.threads.length > 0 || this.#ended) return
    this.#ended = new Error(`no thread can be started: ${thrownMessage(failure)}`, { cause: failure })
    void this.#pool.destroy()
  }
}
