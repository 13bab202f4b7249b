import { type Clock, systemClock } from '../clock.ts'
import type { RequestContext } from '../server/context.ts'
import type { Registrar } from '../server/registration/registrar.ts'
import type { Toolkit } from '../server/registration/toolkit.ts'

export interface ProgressKitOptions {
  /** What `tick` waits by; default real time. */
  readonly clock?: Clock
}

/**
 * A toolkit whose tools report progress, to try whatever shows it or keeps calls alive by it:
 *
 * - `measured` {to} says how much there is, and a message; `unmeasured` {to} says neither.
 * - `stumbles` {to} falls back after every step: what does not grow is not sent, so each step is heard once.
 * - `breaks_off` {to} fails after its last report.
 * - `tick` {times, everyMs} reports once every so many ms, until it is done or given up.
 */
export class ProgressKit implements Toolkit {
  readonly #clock: Clock

  constructor({ clock = systemClock }: ProgressKitOptions = {}) {
    this.#clock = clock
  }

  register(registrar: Registrar): void {
    const steps = { to: { type: 'integer', minimum: 0, required: true } } as const
    registrar.tool(
      'measured',
      { description: 'Says how much there is', params: steps },
      ({ to }, context) => {
        for (let step = 1; step <= to; step++)
          context.progress({ progress: step, total: to, message: `${step} of ${to}` })
        return `${to} done`
      },
    )
    registrar.tool(
      'unmeasured',
      { description: 'Says only how far it is', params: steps },
      ({ to }, context) => {
        for (let step = 1; step <= to; step++) context.progress({ progress: step })
        return `${to} done`
      },
    )
    registrar.tool(
      'stumbles',
      { description: 'Falls back after every step', params: steps },
      ({ to }, context) => {
        for (let step = 1; step <= to; step++)
          for (const progress of [step, step, step - 1]) context.progress({ progress, total: to })
        return `${to} done`
      },
    )
    registrar.tool(
      'breaks_off',
      { description: 'Fails after its last report', params: steps },
      ({ to }, context) => {
        for (let step = 1; step <= to; step++) context.progress({ progress: step, total: to + 1 })
        throw new Error(`It broke off after ${to}`)
      },
    )
    registrar.tool(
      'tick',
      {
        description: 'Reports once every so many ms',
        params: {
          times: { type: 'integer', minimum: 0, required: true },
          everyMs: { type: 'integer', minimum: 0, required: true },
        },
      },
      ({ times, everyMs }, context) => this.#tick(times, everyMs, context),
    )
  }

  async #tick(times: number, everyMs: number, context: RequestContext): Promise<string> {
    for (let progress = 1; progress <= times; progress++) {
      await this.#pause(everyMs, context.signal)
      if (context.signal.aborted) return `given up before tick ${progress}`
      context.progress({ progress, total: times })
    }
    return `${times} ticks`
  }

  #pause(forMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#clock.setTimeout(end, forMs)
      signal.addEventListener('abort', end)
      const clock = this.#clock
      function end() {
        clock.clearTimeout(timer)
        signal.removeEventListener('abort', end)
        resolve()
      }
    })
  }
}
