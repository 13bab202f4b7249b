import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { says, workspace } from '../harness.ts'
import { serve } from './serve.ts'

it('nobody is shown the new content of a file who may not see the old', async () => {
  const { root } = workspace({ 'key.pem': 'old' })
  chmodSync(join(root, 'key.pem'), 0o600)
  const modes = new Set<number>()
  let state: 'writing' | 'done' = 'writing'
  const content = 'x'.repeat(2 ** 23)
  const writing = says(serve({ root }), 'fs_write', { path: 'key.pem', content }).finally(() => {
    state = 'done'
  })
  while (state === 'writing') {
    for (const name of readdirSync(root).filter((name) => name.endsWith('.tmp'))) {
      const stats = statSync(join(root, name), { throwIfNoEntry: false })
      if (stats) modes.add(stats.mode & 0o777)
    }
    await setImmediate()
  }
  await writing
  expect([...modes]).toEqual([0o600])
})
