import type { Contender } from './contenders.ts'
import type { BenchOptions } from './options.ts'
import type { Job } from './plan.ts'
import type { Progress } from './progress.ts'
import { type Figures, runContender } from './run-contender.ts'

interface Run {
  readonly jobs: readonly Job[]
  readonly contenders: readonly Contender[]
  readonly options: BenchOptions
  readonly progress: Progress
}

export interface Measured {
  /** Every sample, by job name and contender. */
  readonly figures: ReadonlyMap<string, ReadonlyMap<Contender, readonly Figures[]>>
  readonly failures: readonly string[]
}

/**
 * Every contender in turn, then again: what disturbs the machine for a while disturbs all of them. Each turn starts
 * with another one, so that none always follows the same neighbour. What failed is noted and not tried again; the rest
 * goes on.
 */
export async function runRounds({ jobs, contenders, options, progress }: Run): Promise<Measured> {
  const figures = new Map(jobs.map((job) => [job.name, new Map<Contender, Figures[]>()]))
  const failures = new Map<string, string>()
  let turn = 0
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const { job, contender } of jobs.flatMap((job) => turnsOf(job, contenders, () => turn++))) {
      progress.step(round, job, contender)
      const what = `${contender}: ${job.name}`
      if (failures.has(what)) continue
      try {
        const samples = figures.get(job.name) as Map<Contender, Figures[]>
        samples.set(contender, [
          ...(samples.get(contender) ?? []),
          await runContender(contender, job, options),
        ])
      } catch (error) {
        failures.set(what, `${what} failed: ${(error as Error).message}`)
      }
    }
  }
  return { figures, failures: [...failures.values()] }
}

function turnsOf(job: Job, all: readonly Contender[], nextTurn: () => number) {
  const contenders = all.filter((contender) => job.contenders?.includes(contender) ?? true)
  return Array.from({ length: job.repeats }, () => {
    const first = nextTurn() % contenders.length
    return [...contenders.slice(first), ...contenders.slice(0, first)].map((contender) => ({
      job,
      contender,
    }))
  }).flat()
}
