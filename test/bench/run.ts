/** `npm run bench`: our client against the official one, on one machine, in one run. Measures, never asserts. */

import { availableContenders } from './contenders.ts'
import { describeMachine } from './machine.ts'
import { toMarkdown } from './markdown.ts'
import { parseOptions } from './options.ts'
import { planJobs } from './plan.ts'
import { startProgress } from './progress.ts'
import { runRounds } from './rounds.ts'
import { chosenRows } from './rows.ts'
import { summarize } from './summarize.ts'

const options = parseOptions(process.argv.slice(2))
const rows = chosenRows(options)
if (rows.length === 0) process.stderr.write(`no row is called anything like ${options.only}\n`)
const { contenders, absent } = availableContenders(options.contenders)
for (const note of absent) process.stderr.write(`${note}\n`)

const jobs = planJobs(rows, options)
const progress = startProgress(jobs, contenders, options.rounds)
const measured = await runRounds({ jobs, contenders, options, progress })
progress.end()

const report = {
  machine: describeMachine(),
  rounds: options.rounds,
  quick: options.quick,
  notes: [...absent, ...measured.failures],
  rows: summarize(rows, measured.figures),
}
process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : toMarkdown(report))
