import { fileURLToPath } from 'node:url'
import { baselineFile } from './baseline.ts'
import type { Leg } from './legs.ts'
import { runReferee } from './referee.ts'

const fixture = fileURLToPath(new URL('client.mjs', import.meta.url))
// `exec`: the referee's timeout kills only the shell it starts this with.
const command = `exec ${JSON.stringify(process.execPath)} ${JSON.stringify(fixture)}`
// Together they all start at once, several dozen processes.
const togetherTimeoutMs = 60_000
const aloneTimeoutMs = 30_000

export const clientLeg: Leg = {
  name: 'client',
  isCrowded: true,
  mindsUnscored: () => true,
  together: (revision) =>
    runReferee([
      ...['client', '--command', command, '--timeout', String(togetherTimeoutMs)],
      ...['--requirements', revision, '--expected-failures', baselineFile],
    ]),
  alone: (scenario, revision) =>
    runReferee([
      ...['client', '--command', command, '--timeout', String(aloneTimeoutMs)],
      ...['--scenario', scenario, '--spec-version', revision, '--force'],
    ]),
}
