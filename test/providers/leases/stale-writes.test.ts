import { describe, expect, it } from 'vitest'
import { Leases } from '../../../src/index.ts'
import { revisionKey } from '../../../src/protocol/revision.ts'
import { call, Toolkit } from '../registry/provider.ts'
import { does, run, workspace } from './harness.ts'

/** What another program does behind everybody's back. */
function change(files: Map<string, string>, path: string): void {
  files.set(path, 'something else')
}

describe('a change of what this agent has read', () => {
  it.each([
    ['fs_write', { path: '/w/x', content: 'new' }],
    ['fs_edit', { path: 'x', content: '+' }],
    ['fs_move', { from: 'x', to: 'y' }],
    ['fs_delete', { path: 'x' }],
  ])(
    'by %s %j is refused before any effect when it has changed since, until it is read again',
    async (tool, args) => {
      const { agent, inner } = workspace({ '/w/x': 'old' })
      const a = agent('a')
      await does(a, 'fs_read', { path: 'x' })
      change(inner.files, '/w/x')
      for (let attempt = 0; attempt < 2; attempt += 1) {
        expect(await does(a, tool, args)).toMatchObject({
          is_error: true,
          content: /changed since you read it: read it again/,
        })
        expect([...inner.files]).toEqual([['/w/x', 'something else']])
      }
      await does(a, 'fs_read', { path: 'x' })
      expect(await does(a, tool, args)).toMatchObject({ is_error: false })
    },
  )

  it('passes when nothing has changed, again and again', async () => {
    const { agent, inner } = workspace({ '/w/x': 'old' })
    const a = agent('a')
    await does(a, 'fs_read', { path: 'x' })
    for (const content of ['1', '2'])
      expect((await does(a, 'fs_write', { path: 'x', content })).is_error).toBe(false)
    expect((await does(a, 'fs_edit', { path: 'x', content: '+' })).is_error).toBe(false)
    expect(inner.files.get('/w/x')).toBe('2+')
  })

  it('is refused when another agent changed it', async () => {
    const { agent } = workspace({ '/w/x': 'old' })
    const [a, b] = [agent('a'), agent('b')]
    await does(a, 'fs_read', { path: 'x' })
    await does(b, 'fs_read', { path: 'x' })
    expect((await does(b, 'fs_write', { path: 'x', content: 'of b' })).is_error).toBe(false)
    expect((await does(a, 'fs_write', { path: 'x', content: 'of a' })).is_error).toBe(true)
  })

  it('is refused when it was deleted since, until that was seen', async () => {
    const { agent, inner } = workspace({ '/w/x': 'old' })
    const a = agent('a')
    await does(a, 'fs_read', { path: 'x' })
    inner.files.delete('/w/x')
    expect((await does(a, 'fs_write', { path: 'x' })).is_error).toBe(true)
    await does(a, 'fs_read', { path: 'x' })
    expect((await does(a, 'fs_write', { path: 'x' })).is_error).toBe(false)
  })

  it('follows what it moved, and forgets what it deleted', async () => {
    const { agent } = workspace({ '/w/x': '' })
    const a = agent('a')
    await does(a, 'fs_read', { path: 'x' })
    await does(a, 'fs_move', { from: 'x', to: 'y' })
    expect((await does(a, 'fs_write', { path: 'y', content: '1' })).is_error).toBe(false)
    await does(a, 'fs_delete', { path: 'y' })
    expect((await does(a, 'fs_write', { path: 'y', content: '2' })).is_error).toBe(false)
    expect((await does(a, 'fs_write', { path: 'x', content: '3' })).is_error).toBe(false)
  })
})

describe('what this agent never read', () => {
  it('may be written where nothing is, but not over what is there', async () => {
    const { agent, inner } = workspace({ '/w/x': 'old' })
    const a = agent('a')
    await does(agent('b'), 'fs_read', { path: 'x' })
    expect(await does(a, 'fs_write', { path: 'x', content: 'new' })).toMatchObject({
      is_error: true,
      content: /you have not read it: read it first/,
    })
    expect(inner.files.get('/w/x')).toBe('old')
    expect((await does(a, 'fs_write', { path: 'new', content: '1' })).is_error).toBe(false)
  })

  it('may be edited, moved and deleted', async () => {
    const { agent } = workspace({ '/w/x': 'old' })
    const a = agent('a')
    expect((await does(a, 'fs_edit', { path: 'x', content: '+' })).is_error).toBe(false)
    expect((await does(agent('b'), 'fs_move', { from: 'x', to: 'y' })).is_error).toBe(false)
    expect((await does(agent('c'), 'fs_delete', { path: 'y' })).is_error).toBe(false)
  })
})

describe('in one batch', () => {
  it('two changes of a file are both judged by what is there', async () => {
    const { agent, inner } = workspace({ '/w/x': 'old' })
    const a = agent('a')
    await does(a, 'fs_read', { path: 'x' })
    const twice = [call('fs_edit', { path: 'x', content: '1' }), call('fs_edit', { path: 'x', content: '2' })]
    expect((await run(a, ...twice)).map(({ is_error }) => is_error)).toEqual([false, false])
    expect(inner.files.get('/w/x')).toBe('old12')
    change(inner.files, '/w/x')
    expect((await run(a, ...twice)).map(({ is_error }) => is_error)).toEqual([true, true])
    expect(inner.files.get('/w/x')).toBe('something else')
  })

  it('a write beside a read has not seen what is read', async () => {
    const { agent } = workspace({ '/w/x': 'old' })
    const results = await run(agent('a'), call('fs_read', { path: 'x' }), call('fs_write', { path: 'x' }))
    expect(results.map(({ is_error }) => is_error)).toEqual([false, true])
  })
})

describe('the revision', () => {
  it('that a caller sets itself is left alone', async () => {
    const { agent, inner } = workspace()
    const write = { ...call('fs_write', { path: 'x' }), meta: { [revisionKey]: 'mine', other: 1 } }
    await run(agent('a'), write)
    expect(inner.batches[0]?.[0]).toBe(write)
  })

  it('goes beside what the call has in its meta', async () => {
    const { agent, inner } = workspace()
    await run(agent('a'), { ...call('fs_write', { path: 'x' }), meta: { other: 1 } })
    expect(inner.batches[0]?.[0]?.meta).toEqual({ other: 1, [revisionKey]: null })
  })

  it('is asked of no tool that knows of none, but for whole files', async () => {
    const { table } = workspace()
    const inner = new Toolkit()
    const agent = new Leases({ inner, table, agentId: 'a', enforcedTools: ['*'], overwritingTools: ['put'] })
    await run(agent, call('get', { path: '/x' }), call('put', { path: '/y' }), call('edit', { path: '/z' }))
    expect(inner.batches.flat().map(({ meta }) => meta)).toEqual([
      undefined,
      { [revisionKey]: null },
      undefined,
    ])
  })
})
