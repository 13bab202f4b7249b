import { setMaxListeners } from 'node:events'
import type { Clock } from '../../clock.ts'
import { CancelledError } from '../../errors.ts'

/** Whoever waits for a server to come up: admitted when it does, refused when it will not, or not in time. */
export class WaitingRoom<Value> {
  readonly #clock: Clock
  readonly #waiting = new Set<Waiter<Value>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Rejects with `late()` after `timeoutMs`, and with a CancelledError when the signal aborts. */
  wait(timeoutMs: number, late: () => Error, signal: AbortSignal | undefined): Promise<Value> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(cancelled(signal))
      const leave = () => {
        this.#clock.clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        this.#waiting.delete(waiter)
      }
      const waiter: Waiter<Value> = {
        resolve: (value) => {
          leave()
          resolve(value)
        },
        reject: (failure) => {
          leave()
          reject(failure)
        },
      }
      const timer = this.#clock.setTimeout(() => waiter.reject(late()), timeoutMs)
      const abort = () => waiter.reject(cancelled(signal))
      // Any number of calls may share a signal.
      if (signal) setMaxListeners(0, signal)
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiting.add(waiter)
    })
  }

  admitAll(value: Value): void {
    for (const waiter of [...this.#waiting]) waiter.resolve(value)
  }

  refuseAll(failure: Error): void {
    for (const waiter of [...this.#waiting]) waiter.reject(failure)
  }
}

interface Waiter<Value> {
  readonly resolve: (value: Value) => void
  readonly reject: (failure: Error) => void
}

function cancelled(signal: AbortSignal | undefined): CancelledError {
  return new CancelledError({ method: 'tools/call' }, { cause: signal?.reason })
}
