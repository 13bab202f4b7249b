import { type Clock, systemClock } from './clock.ts'

/** Whether `promise` settled within `ms`. The timer is cleared either way. */
export async function settlesWithin(
  promise: Promise<unknown>,
  ms: number,
  clock: Clock = systemClock,
): Promise<boolean> {
  let timer: unknown
  const late = new Promise<false>((resolve) => {
    timer = clock.setTimeout(() => resolve(false), ms)
  })
  const settled = promise.then(
    () => true,
    () => true,
  )
  try {
    return await Promise.race([settled, late])
  } finally {
    clock.clearTimeout(timer)
  }
}
