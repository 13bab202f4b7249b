import { once } from 'node:events'

/** Keeps the process running until then, even if nothing else does. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  const staying = setInterval(() => {}, 2 ** 30)
  if (!signal.aborted) await once(signal, 'abort')
  clearInterval(staying)
}
