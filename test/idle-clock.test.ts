import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const source = (path: string) => JSON.stringify(new URL(`../src/${path}`, import.meta.url).href)

it.each([
  [
    'a timer of a year',
    `import { systemClock } from ${source('clock.ts')}
     import { idleClock } from ${source('idle-clock.ts')}
     idleClock(systemClock).setTimeout(() => {}, 365 * 86_400_000)`,
  ],
  [
    'a lease of a year',
    `import { LeaseTable } from ${source('index.ts')}
     await new LeaseTable().acquire({ holder: 'a', paths: ['/w/x'], ttlMs: 365 * 86_400_000 })`,
  ],
])('%s holds no process', async (_, program) => {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', `${program}\nconsole.log('set')`]
  // One that is held is killed, and fails.
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 50_000 })
  expect(stdout).toBe('set\n')
})
