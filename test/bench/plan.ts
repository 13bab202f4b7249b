import type { Contender } from './contenders.ts'
import type { Row } from './rows.ts'

/** One process of one contender: a measurement under settings, from which several rows take a figure. */
export interface Job {
  readonly name: string
  readonly measurement: string
  readonly settings: Readonly<Record<string, unknown>>
  /** Processes a contender and round; more where one process yields one sample. */
  readonly repeats: number
  /** Who takes part; all when undefined. */
  readonly contenders: readonly Contender[] | undefined
}

// Code that the compiler has not warmed to yet is several times slower, and a busy machine makes few calls in a second.
const fullLength = { warmMs: 1000, warmCalls: 20_000, measureMs: 1000, delayMs: 3000 }
const quickLength = { warmMs: 200, warmCalls: 5000, measureMs: 250, delayMs: 1000 }
// Over HTTP a call takes the official client ten times as long; three times as many shifted no ratio by more than a tenth.
const httpWarmCalls = 4000

export function planJobs(rows: readonly Row[], { quick }: { readonly quick: boolean }): readonly Job[] {
  const length = quick ? quickLength : fullLength
  const jobs = new Map<string, Job>()
  for (const row of rows) {
    const name = jobName(row)
    const repeats = row.measurement === 'first-connect' ? 3 : 1
    jobs.set(name, {
      name,
      measurement: row.measurement,
      settings: { ...row.settings, ...length, ...('wire' in row.settings && { warmCalls: httpWarmCalls }) },
      repeats,
      contenders: row.contenders,
    })
  }
  return [...jobs.values()]
}

/** Rows of the same name share a process. Fit for a folder's name, too. */
export function jobName({ measurement, settings }: Pick<Row, 'measurement' | 'settings'>): string {
  const details = Object.entries(settings).map(([key, value]) => `${key}=${value}`)
  return [measurement, ...details].join('-')
}
