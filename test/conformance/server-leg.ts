import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { baselineFile } from './baseline.ts'
import type { Leg } from './legs.ts'
import { runReferee } from './referee.ts'

const fixture = fileURLToPath(new URL('server.mjs', import.meta.url))
const timeoutMs = 60_000

/** What the suite always skips. */
const unjudged: ReadonlySet<string> = new Set(['tasks-status-notifications'])

export const serverLeg: Leg = {
  name: 'server',
  isCrowded: false,
  mindsUnscored: (scenario) => !unjudged.has(scenario),
  together: (revision) =>
    withServer((url) =>
      runReferee([
        ...['server', '--url', url, '--timeout', String(timeoutMs)],
        ...['--requirements', revision, '--expected-failures', baselineFile],
      ]),
    ),
  alone: (scenario, revision) =>
    withServer((url) =>
      runReferee([
        ...['server', '--url', url, '--timeout', String(timeoutMs)],
        ...['--scenario', scenario, '--spec-version', revision, '--force'],
      ]),
    ),
}

/** A process of the fixture for as long as it is asked. */
async function withServer<Value>(ask: (url: string) => Promise<Value>): Promise<Value> {
  const server = execa(process.execPath, [fixture], { stdin: 'pipe', stderr: 'inherit', reject: false })
  try {
    // Its first line; not by iterating, which waits for the process to end.
    const [url] = await once(server.stdout, 'data')
    return await ask(String(url).trim())
  } finally {
    server.stdin.end()
    await server
  }
}
