import type { Clock } from './clock.ts'

/** The same time; but nothing that waits on it keeps the process alive. */
export function idleClock(clock: Clock): Clock {
  return {
    now: () => clock.now(),
    setTimeout: (run, delayMs) => {
      const timer = clock.setTimeout(run, delayMs)
      if (timer instanceof Object && 'unref' in timer && typeof timer.unref === 'function') timer.unref()
      return timer
    },
    clearTimeout: (timer) => clock.clearTimeout(timer),
  }
}
