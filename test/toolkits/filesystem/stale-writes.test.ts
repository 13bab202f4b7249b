import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Leases, LeaseTable } from '../../../src/index.ts'
import { does, put, refuses, says, snapshot, workspace } from '../harness.ts'
import { serve } from './serve.ts'

/** Agents at work on the same files, each with its own layer of leases over the one server. */
function office(files: { readonly [path: string]: string }) {
  const { root } = workspace(files)
  const table = new LeaseTable()
  const inner = serve({ root })
  const agent = (agentId: string) => new Leases({ inner, table, agentId, roots: { fs: root } })
  return { root, agent, change: (path: string) => put(root, { [path]: 'something else' }) }
}

describe('a change of what this agent has read', () => {
  it.each([
    ['fs_write', { path: 'x', content: 'new' }],
    ['fs_edit', { path: 'x', oldText: 'e', newText: 'E', all: true }],
    ['fs_move', { from: 'x', to: 'y' }],
    ['fs_delete', { path: 'x' }],
  ])(
    'by %s %j is refused before any effect when it has changed since, until it is read again',
    async (tool, args) => {
      const { root, agent, change } = office({ x: 'here' })
      const a = agent('a')
      await says(a, 'fs_read', { path: 'x' })
      change('x')
      const before = snapshot(root)
      for (let attempt = 0; attempt < 2; attempt += 1) {
        expect(await refuses(a, tool, args)).toContain('it has changed since you read it: read it again')
        expect(snapshot(root)).toEqual(before)
      }
      await says(a, 'fs_read', { path: join(root, 'x') })
      await says(a, tool, args)
    },
  )

  it('passes when nothing has changed, again and again', async () => {
    const { agent } = office({ x: 'old' })
    const a = agent('a')
    await says(a, 'fs_read', { path: 'x' })
    for (const content of ['1', '2']) await says(a, 'fs_write', { path: 'x', content })
    await says(a, 'fs_edit', { path: 'x', oldText: '2', newText: '3' })
    await says(a, 'fs_move', { from: 'x', to: 'y' })
    await says(a, 'fs_write', { path: 'y', content: '4' })
    await says(a, 'fs_delete', { path: 'y' })
    await says(a, 'fs_write', { path: 'y', content: '5' })
  })

  it('is refused when another agent was faster', async () => {
    const { agent } = office({ x: 'old' })
    const [a, b] = [agent('a'), agent('b')]
    for (const one of [a, b]) await says(one, 'fs_read', { path: 'x', lastLine: 1 })
    await says(b, 'fs_write', { path: 'x', content: 'of b' })
    expect(await refuses(a, 'fs_write', { path: 'x', content: 'of a' })).toContain('has changed since')
  })

  it('is refused when it is gone, until that was seen', async () => {
    const { root, agent } = office({ x: 'old' })
    const a = agent('a')
    await says(a, 'fs_read', { path: 'x' })
    rmSync(join(root, 'x'))
    expect(await refuses(a, 'fs_write', { path: 'x', content: '' })).toContain('has changed since')
    await refuses(a, 'fs_read', { path: 'x' })
    await says(a, 'fs_write', { path: 'x', content: '' })
  })

  it('is judged by what a symlink leads to', async () => {
    const { root, agent, change } = office({ x: 'old' })
    symlinkSync('x', join(root, 'link'))
    const a = agent('a')
    await says(a, 'fs_read', { path: 'link' })
    change('x')
    expect(await refuses(a, 'fs_write', { path: 'link', content: '' })).toContain('has changed since')
  })
})

describe('what this agent never read', () => {
  it('may be written where nothing is, but not over what is there', async () => {
    const { root, agent } = office({ x: 'old', large: 'x'.repeat(100) })
    const a = agent('a')
    await says(a, 'fs_list')
    await says(a, 'fs_grep', { pattern: 'old' })
    const before = snapshot(root)
    for (const path of ['x', 'large'])
      expect(await refuses(a, 'fs_write', { path, content: 'new' })).toContain(
        'you have not read it: read it first',
      )
    expect(snapshot(root)).toEqual(before)
    await says(a, 'fs_write', { path: 'new/file', content: 'new' })
  })

  it('may be edited, moved and deleted', async () => {
    const { agent } = office({ x: 'old' })
    await says(agent('a'), 'fs_edit', { path: 'x', oldText: 'old', newText: 'new' })
    await says(agent('b'), 'fs_move', { from: 'x', to: 'y' })
    await says(agent('c'), 'fs_delete', { path: 'y' })
  })
})

it('no model sees a revision', async () => {
  const { agent } = office({ x: 'old' })
  const { meta, ...visible } = await does(agent('a'), 'fs_read', { path: 'x' })
  expect(JSON.stringify(visible)).not.toContain(String(meta?.['mcp-troupe/revision']))
})
