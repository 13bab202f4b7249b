import { availableParallelism } from 'node:os'
import { checkOptions, wholeNumber } from '../../check-options.ts'

/** Of the threads for handlers in modules. They are started by the first call of one, and end with `server.close()`. */
export interface ThreadOptions {
  /** So many calls run at once, and the others wait; default one less than the machine has cores, 1 to 4. */
  readonly maxThreads?: number
  /** The heap of one thread, in MiB; a call that needs more crashes, and nothing else; default 1024, at least 16. */
  readonly memoryMb?: number
}

/** @throws ConfigError */
export function checkThreadOptions(options: ThreadOptions): void {
  const memoryMb = (value: unknown) =>
    wholeNumber(value) ?? (Number(value) < 16 ? 'must be at least 16' : undefined)
  checkOptions(options, { maxThreads: wholeNumber, memoryMb }, ['threads'])
}

export function readThreadOptions({ maxThreads, memoryMb = 1_024 }: ThreadOptions): Required<ThreadOptions> {
  return { maxThreads: maxThreads ?? Math.max(1, Math.min(4, availableParallelism() - 1)), memoryMb }
}
