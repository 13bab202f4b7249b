import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { guard, LeaseTable, type Policy, type ToolCall } from '../../src/index.ts'
import { troupe } from '../providers/registry/harness.ts'
import { call } from '../providers/registry/provider.ts'
import { pathOf } from './harness.ts'

/** Two agents that share a real filesystem server, and whoever is asked says yes. */
function agents() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'guarded-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'notes.txt'), 'as it was')
  const { registry, add } = troupe()
  const entry = pathOf('../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
  add({ command: process.execPath, args: [entry, folder] }, { prefix: 'fs' })
  const table = new LeaseTable()
  const agent = (agentId: string) =>
    guard({
      provider: registry,
      policy: { onAsk: async () => ({ action: 'allow-once' }) },
      leases: { table, agentId, concurrent: () => 2, enforcedTools: ['fs_write_file', 'fs_move_file'] },
      roots: { '': folder },
      pathParams: { fs_move_file: ['source', 'destination'] },
    })
  return { folder, table, ada: agent('ada'), bob: agent('bob') }
}

async function said(agent: Policy, ...calls: readonly ToolCall[]): Promise<readonly string[]> {
  return (await agent.executeToolCalls(calls)).map(({ content }) => content)
}

it('two agents change a file of a real server one after the other, each under its own lock', async () => {
  const { folder, table, ada, bob } = agents()
  const path = join(folder, 'notes.txt')
  await ada.toolsForLlm()
  const write = (content: string) => call('fs_write_file', { path, content, reason: 'to test' })
  expect(await said(ada, write('of ada'))).toEqual([expect.stringContaining(`you hold no lock on ${path}`)])

  expect(await said(ada, call('lock_acquire', { paths: ['notes.txt'] }), write('of ada'))).toEqual([
    expect.stringContaining(`Locked for 300 s: ${path}`),
    expect.stringContaining('Successfully wrote'),
  ])
  const destination = join(folder, 'elsewhere.txt')
  expect(await said(bob, write('of bob'), call('fs_move_file', { source: path, destination }))).toEqual([
    expect.stringContaining('ada has held a lock'),
    expect.stringContaining('ada has held a lock'),
  ])

  const waiting = said(bob, call('lock_acquire', { paths: ['notes.txt'] }), write('of bob'))
  expect(await said(ada, call('lock_release'))).toEqual([`Released: ${path}.`])
  expect((await waiting)[1]).toContain('Successfully wrote')
  expect(readFileSync(path, 'utf8')).toBe('of bob')
  expect(await table.status()).toMatchObject({ leases: [{ holder: 'bob', path }], pins: [] })
})
