import { setMaxListeners } from 'node:events'
import type { Clock } from '../../clock.ts'

/** How long whoever was told to stop has to say what came of it. */
const graceMs = 1_000

/** What comes of work that ends when the signal aborts; undefined when it does not a second later: then it goes on unheard. */
export function untilGivenUp<Value>(
  work: Promise<Value>,
  signal: AbortSignal | undefined,
  clock: Clock,
): Promise<Value | undefined> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    let timer: unknown
    const beginGrace = () => {
      timer = clock.setTimeout(() => resolve(undefined), graceMs)
    }
    // Any number of batches may share a signal.
    setMaxListeners(0, signal)
    signal.addEventListener('abort', beginGrace, { once: true })
    if (signal.aborted) beginGrace()
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', beginGrace)
      clock.clearTimeout(timer)
    })
  })
}
