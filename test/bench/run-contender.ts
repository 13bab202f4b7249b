import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Contender } from './contenders.ts'
import type { Job } from './plan.ts'

/** What a measurement returns; null where this system cannot tell. */
export type Figures = Readonly<Record<string, number | null>>

const deadlineMs = 60_000
const contenderModule = fileURLToPath(new URL('contender.mjs', import.meta.url))

/** One contender under one measurement, in a fresh process of plain JavaScript. */
export async function runContender(
  contender: Contender,
  job: Job,
  { profile }: { readonly profile: string | undefined },
) {
  const args = [contenderModule, contender, job.measurement, JSON.stringify(job.settings)]
  const run = promisify(execFile)(process.execPath, [...nodeOptions(contender, job, profile), ...args], {
    env: plainEnvironment(),
    timeout: deadlineMs,
    killSignal: 'SIGKILL',
  })
  const { stdout } = await run.catch((error) => {
    throw new Error(reasonOf(error), { cause: error })
  })
  return JSON.parse(stdout) as Figures
}

function nodeOptions(contender: Contender, job: Job, profile: string | undefined): string[] {
  const profiling =
    profile === undefined
      ? []
      : ['--cpu-prof', `--cpu-prof-dir=${join(resolve(profile), contender, job.name)}`]
  return ['--expose-gc', ...profiling]
}

// Node's own variables (extra certificates, options, coverage) slow the start of every process that inherits them, and
// not every client lets its server inherit them.
function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_')))
}

function reasonOf({
  killed,
  stderr,
  message,
}: {
  killed?: boolean
  stderr?: string
  message: string
}): string {
  if (killed) return `no figures within ${deadlineMs / 1000} s`
  const lines = (stderr ?? '').split('\n')
  return (lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.find(Boolean) ?? message).trim()
}
