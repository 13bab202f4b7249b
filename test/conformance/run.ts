/** `npm run conformance`: the official suite, as a referee, against our client. Exit code 1 when anything fails. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readBaseline } from './baseline.ts'
import { installReferee } from './install-referee.ts'
import { legs } from './legs.ts'
import { parseOptions } from './options.ts'
import { toReport } from './report.ts'
import { readRequirements } from './requirements.ts'
import { runRevision } from './run-revision.ts'
import { count } from './verdict.ts'

const { legNames, revisions, scenario, isFast, isVerbose } = parseOptions(process.argv.slice(2))
await installReferee()
const folder = await mkdtemp(join(tmpdir(), 'mcp-troupe-conformance-'))
const total = { passed: 0, failed: 0 }
let ran = 0
try {
  const requirements = await Promise.all(revisions.map(readRequirements))
  const baseline = await readBaseline()
  for (const name of legNames) {
    const plans = requirements
      .map(({ revision, [name]: required }) => ({ revision, ...required }))
      .filter((plan) => scenario === undefined || plan.scored.concat(plan.unscored).includes(scenario))
    const runs = []
    for (const plan of plans) {
      const leg = legs[name]
      runs.push(await runRevision(leg, plan, { scenario, isFast, excused: baseline[name], folder }))
    }
    ran += runs.length
    if (runs.length) process.stdout.write(toReport(name, runs, { isVerbose }))
    for (const { passed, failed } of runs.map(count)) {
      total.passed += passed
      total.failed += failed
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
if (ran === 0) process.stderr.write(`no scenario is called ${scenario}\n`)
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`)
process.exitCode = total.failed > 0 || ran === 0 ? 1 : 0
