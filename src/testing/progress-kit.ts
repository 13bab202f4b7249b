import { type Clock, systemClock } from '../clock.ts'
import type { Progress } from '../protocol/progress.ts'
import type { Registrar } from '../server/registration/registrar.ts'
import type { Toolkit } from '../server/registration/toolkit.ts'
import type { RequestContext } from '../server/request/request-context.ts'

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
    for (const [name, { description, reports, end }] of Object.entries(walks))
      registrar.tool(name, { description, params: { to: whole } }, ({ to }, context) => {
        for (let step = 1; step <= to; step++)
          for (const report of reports(step, to)) context.progress(report)
        return end(to)
      })
    registrar.tool(
      'tick',
      {
        description: 'Reports once every so many ms',
        params: { times: whole, everyMs: { type: 'number', minimum: 0, required: true } },
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

/** A tool that takes `to` steps: what it reports at each of them, and how it ends. */
interface Walk {
  readonly description: string
  readonly reports: (step: number, to: number) => readonly Progress[]
  readonly end: (to: number) => string
}

const whole = { type: 'integer', minimum: 0, maximum: 10_000, required: true } as const
const done = (to: number) => `${to} done`

const walks: { readonly [tool: string]: Walk } = {
  measured: {
    description: 'Says how much there is',
    reports: (step, to) => [{ progress: step, total: to, message: `${step} of ${to}` }],
    end: done,
  },
  unmeasured: {
    description: 'Says only how far it is',
    reports: (step) => [{ progress: step }],
    end: done,
  },
  stumbles: {
    description: 'Falls back after every step',
    reports: (step, to) => [step, step, step - 1].map((progress) => ({ progress, total: to })),
    end: done,
  },
  breaks_off: {
    description: 'Fails after its last report',
    reports: (step, to) => [{ progress: step, total: to + 1 }],
    end: (to) => {
      throw new Error(`It broke off after ${to}`)
    },
  },
}
