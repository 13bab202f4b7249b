import type { Contender } from './contenders.ts'
import type { Job } from './plan.ts'

export interface Progress {
  step(round: number, job: Job, contender: Contender): void
  end(): void
}

const barWidth = 30

/** A bar on a terminal, elsewhere a line for each job of each round; both on stderr. */
export function startProgress(
  jobs: readonly Job[],
  contenders: readonly Contender[],
  rounds: number,
): Progress {
  const takingPart = (job: Job) => contenders.filter((name) => job.contenders?.includes(name) ?? true).length
  const total = jobs.reduce((sum, job) => sum + job.repeats * takingPart(job), 0) * rounds
  const onTerminal = process.stderr.isTTY === true
  let done = 0
  let lastLine = ''

  function drawBar(text: string) {
    const filled = Math.round((done / total) * barWidth)
    process.stderr.write(
      `\r\x1b[2K[${'#'.repeat(filled)}${' '.repeat(barWidth - filled)}] ${done}/${total} ${text}`,
    )
  }

  return {
    step(round, job, contender) {
      const line = `round ${round}/${rounds} ${job.name}`
      if (onTerminal) drawBar(`${line} ${contender}`)
      else if (line !== lastLine) process.stderr.write(`${line}\n`)
      lastLine = line
      done += 1
    },
    end() {
      if (onTerminal) process.stderr.write('\r\x1b[2K')
    },
  }
}
