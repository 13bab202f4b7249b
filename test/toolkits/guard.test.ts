import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type AskRequest, guard, LeaseTable } from '../../src/index.ts'
import { McpServer } from '../../src/server/index.ts'
import { FileSystem, Shell } from '../../src/toolkits/index.ts'
import { does, refuses, says, snapshot, workspace } from './harness.ts'

/** Both packs behind everything that stands between them and a model. */
function guarded() {
  const { root } = workspace({ 'drafts/a.txt': 'a', 'final/b.txt': 'b' })
  const server = new McpServer({ name: 'packs', onLog: () => {} })
  server.plug(new FileSystem({ root }))
  server.plug(new Shell({ root, allow: ['git', 'rm'] }))
  const asked: AskRequest[] = []
  const rules = [
    { tool: 'fs_read', decision: 'allow' },
    { tool: 'fs_*', decision: 'allow', under: 'drafts' },
    { tool: 'fs_*', decision: 'deny', under: 'final' },
    { tool: 'sh_run', decision: 'allow', command: 'git' },
  ] as const
  const tools = guard({
    provider: server,
    policy: {
      rules,
      onAsk: async (request) => {
        asked.push(request)
        return { action: 'deny-once' }
      },
    },
    leases: { table: new LeaseTable(), agentId: 'a' },
    roots: { '': root },
  })
  return { root, tools, asked }
}

it('what the rules allow is done, and what they do not is neither done nor out of reach of a question', async () => {
  const { root, tools, asked } = guarded()
  await says(tools, 'fs_write', { path: 'drafts/new.txt', content: 'new' })
  await says(tools, 'fs_move', { from: 'drafts/new.txt', to: join(root, 'drafts/newer.txt') })
  expect(readFileSync(join(root, 'drafts/newer.txt'), 'utf8')).toBe('new')
  const before = snapshot(root)
  await refuses(tools, 'fs_write', { path: 'final/b.txt', content: 'new' })
  expect(asked).toEqual([])
  await refuses(tools, 'fs_write', { path: 'elsewhere.txt', content: 'new' })
  await refuses(tools, 'fs_move', { from: 'drafts/a.txt', to: 'elsewhere.txt' })
  expect(asked).toMatchObject([{ tool: 'fs_write' }, { tool: 'fs_move' }])
  expect(snapshot(root)).toEqual(before)
})

it('a command is judged by its name and its arguments', async () => {
  const { root, tools, asked } = guarded()
  expect(await says(tools, 'sh_run', { command: 'git', args: ['--version'] })).toContain('git version')
  expect(asked).toEqual([])
  await refuses(tools, 'sh_run', { command: 'git', args: ['-C', root, 'push', '--force'] })
  expect(asked).toMatchObject([{ tool: 'sh_run', arguments: { command: 'git' } }])
  expect(await refuses(tools, 'sh_run', { command: 'rm', args: ['-rf', '/'] })).toContain(
    'removes the whole disk',
  )
  expect(asked).toHaveLength(1)
})

it('a write over what this agent never read is refused', async () => {
  const { tools } = guarded()
  expect((await does(tools, 'fs_write', { path: 'drafts/a.txt', content: '' })).content).toContain(
    'read it first',
  )
  await says(tools, 'fs_read', { path: 'drafts/a.txt' })
  await says(tools, 'fs_write', { path: 'drafts/a.txt', content: '' })
})
