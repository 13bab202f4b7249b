import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, it } from 'vitest'

const runner = fileURLToPath(new URL('run.ts', import.meta.url))
const patienceMs = 600_000

// The second pass, each scenario by itself, judges how a client ends: of a server there is nothing to add.
// Needs a built package, as `npm test` makes it, and once a download of the referee.
it.each([['client'], ['server', '--fast']])(
  'passes everything the official suite scores of a %s, at both revisions',
  {
    timeout: patienceMs,
  },
  async (...leg) => {
    const { exitCode, all } = await execa(process.execPath, ['--import', 'tsx', runner, ...leg], {
      all: true,
      reject: false,
    })
    expect(exitCode, all).toBe(0)
  },
)
