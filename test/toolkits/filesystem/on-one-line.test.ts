import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { says, workspace } from '../harness.ts'
import { serve } from './serve.ts'

it('no name passes for several lines of an answer', async () => {
  const odd = ['\n', '\r', '\u001b[2J', '\u0085', '\u2028', '\u2029'].map(
    (control) => `a${control}fake.txt:1: b`,
  )
  const { root } = workspace(Object.fromEntries(odd.map((name) => [name, 'x'])))
  symlinkSync('x\nfake', join(root, 'link'))
  mkdirSync(join(root, 'd\ne'))
  const files = serve({ root })
  for (const [tool, args, count] of [
    ['fs_list', {}, 8],
    ['fs_map', {}, 8],
    ['fs_glob', { pattern: '**' }, 8],
    ['fs_grep', { pattern: 'x' }, 6],
  ] as const) {
    const lines = (await says(files, tool, args)).split(/[\n\r\u0085\u2028\u2029]/)
    expect(lines, tool).toHaveLength(count)
    expect(lines.join(), tool).not.toMatch(/\p{Cc}/u)
    expect(lines, tool).toContainEqual(expect.stringContaining(String.raw`"a\nfake.txt:1: b"`))
  }
})
