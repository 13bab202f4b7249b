import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { McpClient } from '../../src/index.ts'
import { pathOf, textOf } from '../e2e/harness.ts'
import { workspace } from '../toolkits/harness.ts'

it.each(['modern', 'legacy'] as const)('packs and a tool of its own serve a %s client', async (era) => {
  const { root } = workspace({ 'notes.txt': 'one two' })
  const args = ['--import', 'tsx', pathOf('../../examples/toolkit-server.ts'), root]
  // On a busy machine a program in TypeScript takes its time.
  const client = McpClient.connectStdio({ command: process.execPath, args, era, probeTimeoutMs: 60_000 })
  onTestFinished(() => client.close())
  const names = (await client.listTools()).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['fs_write', 'peek_read', 'sh_run', 'today']))
  expect(names).not.toContain('peek_write')
  await client.callTool('fs_edit', { path: 'notes.txt', oldText: 'two', newText: 'three' })
  expect(readFileSync(join(root, 'notes.txt'), 'utf8')).toBe('one three')
  expect(textOf(await client.callTool('peek_grep', { pattern: '\\bthree' }))).toBe('notes.txt:1: one three')
  expect(textOf(await client.callTool('sh_run', { command: 'git', args: ['init', '--quiet'] }))).toContain(
    'code 0',
  )
  expect(textOf(await client.callTool('fs_list'))).toBe('.git/\nnotes.txt  9 B')
})
