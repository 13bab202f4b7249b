import { setMaxListeners } from 'node:events'

/** What comes of some work, or undefined as soon as the signal aborts: then it goes on unheard. */
export function untilAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value | undefined> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const leave = () => resolve(undefined)
    // Any number of batches may share a signal.
    setMaxListeners(0, signal)
    signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
    if (signal.aborted) leave()
  })
}
