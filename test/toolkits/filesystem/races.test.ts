import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/index.ts'
import { does, openBelow, snapshot, workspace } from '../harness.ts'
import { whileSwapping } from '../swapping.ts'
import { serve } from './serve.ts'

const rounds = 150

const calls: readonly (readonly [string, (round: number) => JsonObject])[] = [
  ['fs_read', () => ({ path: 'dir/secret.txt' })],
  ['fs_read', () => ({ path: 'dir/folder/deep.txt' })],
  ['fs_read', () => ({ path: 'file.txt' })],
  ['fs_list', () => ({ path: 'dir' })],
  ['fs_stat', () => ({ path: 'dir/secret.txt' })],
  ['fs_glob', () => ({ pattern: '**/*.txt' })],
  ['fs_map', () => ({})],
  ['fs_grep', () => ({ pattern: 'secret|inside' })],
  ['fs_write', (round) => ({ path: `dir/new-${round}.txt`, content: 'written' })],
  ['fs_write', () => ({ path: 'dir/secret.txt', content: 'inside' })],
  ['fs_write', (round) => ({ path: `dir/made-${round}/x.txt`, content: 'written' })],
  ['fs_write', () => ({ path: 'file.txt', content: 'inside' })],
  ['fs_edit', () => ({ path: 'dir/secret.txt', oldText: 'e', newText: 'e!' })],
  ['fs_edit', () => ({ path: 'file.txt', oldText: 'secret', newText: 'written' })],
  ['fs_mkdir', (round) => ({ path: `dir/folder-${round}/deep` })],
  ['fs_move', (round) => ({ from: 'dir/secret.txt', to: `dir/moved-${round}` })],
  ['fs_move', (round) => ({ from: 'mine.txt', to: `dir/moved-${round}` })],
  ['fs_delete', () => ({ path: 'dir/secret.txt' })],
  ['fs_delete', () => ({ path: 'dir/folder', recursive: true })],
]

describe('while another process swaps directories and files for symlinks that lead out', () => {
  it.each(calls.map(([tool, argsOf]) => [tool, JSON.stringify(argsOf(0)), argsOf] as const))(
    '%s %s touches nothing outside',
    async (tool, _, argsOf) => {
      const places = workspace({
        'dir/secret.txt': 'inside',
        'dir/folder/deep.txt': 'inside',
        'file.txt': 'inside',
        'mine.txt': 'mine',
      })
      const files = serve({ root: places.root })
      const before = snapshot(places.outside)
      await whileSwapping(places, async () => {
        for (let round = 0; round < rounds; round += 1) {
          const { content } = await does(files, tool, argsOf(round))
          expect(content).not.toMatch(/the secret|only-outside/)
        }
      })
      expect(snapshot(places.outside)).toEqual(before)
    },
  )

  it('all of them at once touch nothing outside, and leave nothing open', async () => {
    const places = workspace({
      'dir/secret.txt': 'inside',
      'dir/folder/deep.txt': 'inside',
      'file.txt': 'inside',
    })
    const files = serve({ root: places.root })
    const before = snapshot(places.outside)
    await whileSwapping(places, async () => {
      for (let round = 0; round < 20; round += 1) {
        const results = await Promise.all(calls.map(([tool, argsOf]) => does(files, tool, argsOf(round))))
        for (const { content } of results) expect(content).not.toMatch(/the secret|only-outside/)
      }
    })
    expect(snapshot(places.outside)).toEqual(before)
    expect(openBelow(join(places.root, '..'))).toEqual([])
  })
})
