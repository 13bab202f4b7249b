/** `npm run conformance`: the official suite as a referee of this package. Exit code 1 when anything failed, 2 on bad usage. */

import { installPinned } from './install-pinned.ts'
import { legs } from './legs.ts'
import { leave, parseOptions } from './options.ts'
import { refereeFolder } from './referee.ts'
import { toReport } from './report.ts'
import { runRevision } from './run-revision.ts'
import type { Verdict } from './verdict.ts'

const { legNames, revisions, scenario, isFast, isVerbose } = parseOptions(process.argv.slice(2))
await installPinned(refereeFolder, 'the conformance suite and its Node')

const all: Verdict[] = []
for (const name of legNames) {
  const verdicts: Verdict[] = []
  for (const revision of revisions)
    verdicts.push(...(await runRevision(legs[name], revision, { scenario, isFast })))
  if (verdicts.length) process.stdout.write(toReport(name, verdicts, { isVerbose }))
  all.push(...verdicts)
}
if (all.length === 0) leave(`no scenario of ${revisions.join(' or ')} is called ${scenario}\n`)

const failed = all.filter(({ complaints }) => complaints.length > 0).length
const passed = all.filter(
  ({ standing, complaints }) => standing === 'scored' && complaints.length === 0,
).length
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exitCode = failed > 0 ? 1 : 0
