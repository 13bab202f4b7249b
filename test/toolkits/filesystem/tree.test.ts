import { setImmediate } from 'node:timers'
import { expect, it, onTestFinished } from 'vitest'
import { treeOf } from '../../../src/toolkits/filesystem/tree.ts'
import { HeldDirectory } from '../../../src/toolkits/root/held-directory.ts'
import { workspace } from '../harness.ts'

it('others have their turn, and can end it, while much is made of each entry of a tree', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `${index}`)
  const { root } = workspace(Object.fromEntries(names.map((name) => [name, ''])))
  const directory = HeldDirectory.open(root)
  onTestFinished(() => directory.close())
  const controller = new AbortController()
  const walk = { signal: controller.signal, enters: () => true }
  let count = 0
  const walking = (async () => {
    for await (const _ of treeOf(directory, walk)) {
      if (count === 0) setImmediate(() => controller.abort())
      count += 1
      for (const begin = performance.now(); performance.now() - begin < 15; );
    }
  })()
  await expect(walking).rejects.toThrow('aborted')
  expect(count).toBeLessThan(names.length)
})
