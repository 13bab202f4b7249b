import { fork } from 'node:child_process'
import { once } from 'node:events'
import { linkSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { pathOf } from '../e2e/harness.ts'
import type { Workspace } from './harness.ts'

/** Runs while another process puts symlinks that lead out in the place of `dir` and of `file.txt`, again and again. */
export async function whileSwapping({ root, outside }: Workspace, run: () => Promise<void>): Promise<void> {
  linkSync(join(root, 'file.txt'), join(root, '.file'))
  const swapper = fork(pathOf('../toolkits/fixtures/swapper.mjs'), [root, outside], {
    execArgv: [],
  })
  await once(swapper, 'message')
  try {
    await run()
  } finally {
    const ended = once(swapper, 'exit')
    const told = once(swapper, 'message')
    swapper.send('enough')
    const [{ swaps }] = await told
    expect(swaps).toBeGreaterThan(0)
    expect(await ended).toEqual([0, null])
  }
}
