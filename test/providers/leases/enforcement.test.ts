import { describe, expect, it } from 'vitest'
import { Leases, LeaseTable } from '../../../src/index.ts'
import { call, said, Toolkit } from '../registry/provider.ts'
import { does, run, strict, workspace } from './harness.ts'

const changes = [
  ['fs_write', { path: 'x' }],
  ['fs_edit', { path: 'x' }],
  ['fs_mkdir', { path: 'x' }],
  ['fs_delete', { path: 'x' }],
  ['fs_move', { from: 'x', to: 'y' }],
  ['fs_move', { from: 'y', to: 'x' }],
] as const

describe('another agent’s lock', () => {
  it.each(changes)('refuses %s %j, however many agents there are', async (tool, args) => {
    const { agent, inner, clock } = workspace()
    await does(agent('builder'), 'lock_acquire', { paths: ['x'] })
    clock.advance(7_000)
    for (const concurrent of [undefined, () => 1, () => 2]) {
      const { content, is_error } = await does(agent('a', { concurrent }), tool, args)
      expect(is_error).toBe(true)
      expect(content).toBe(
        `The call of ${tool} was not made: builder has held a lock on /w/x for 7 s. Work on something else, or call lock_acquire with {"paths":["/w/x"]} to wait for it.`,
      )
    }
    expect(inner.batches).toEqual([])
  })

  it('refuses what contains the locked path, or is in it', async () => {
    const { agent } = workspace()
    await does(agent('builder'), 'lock_acquire', { paths: ['src/lib'] })
    for (const path of ['src', 'src/lib/x', 'SRC/lib'])
      expect(await does(agent('a'), 'fs_delete', { path })).toMatchObject({ is_error: true })
    expect(await does(agent('a'), 'fs_delete', { path: 'src/other' })).toMatchObject({ is_error: false })
  })

  it('leaves reading alone', async () => {
    const { agent } = workspace({ '/w/x': 'text' })
    await does(agent('builder'), 'lock_acquire', { paths: ['x'] })
    expect(await does(agent('a', strict), 'fs_read', { path: 'x' })).toMatchObject({ content: 'text' })
  })
})

describe('a change without a lock', () => {
  it.each(changes)('by %s %j passes while the agent is alone', async (tool, args) => {
    const { agent } = workspace({ '/w/x': '1', '/w/y': '2' })
    await does(agent('a'), 'fs_read', { path: 'x' })
    for (const concurrent of [undefined, () => 1, () => 0, async () => 1])
      expect((await does(agent('a', { concurrent, overwritingTools: [] }), tool, args)).is_error).toBe(false)
  })

  it.each([
    ['others are at work', () => 2],
    ['the host says so later', async () => 2],
    ['nobody knows: it throws', () => Promise.reject(new Error('a fault of the host'))],
    ['nobody knows: no number', () => 'one' as never],
    ['nobody knows: text', () => '1' as never],
    ['nobody knows: NaN', () => Number.NaN],
    ['nobody knows: nothing', () => undefined as never],
  ])('is refused when %s, with what to do', async (_, concurrent) => {
    const { agent, inner } = workspace()
    const a = agent('a', { concurrent })
    expect(await does(a, 'fs_write', { path: 'x' })).toMatchObject({
      is_error: true,
      content:
        'The call of fs_write was not made: other agents are at work, and you hold no lock on /w/x. Call lock_acquire with {"paths":["/w/x"]}, and everything else you are going to change, then make the call again.',
    })
    expect(inner.batches).toEqual([])
    await does(a, 'lock_acquire', { paths: ['x'] })
    expect(await does(a, 'fs_write', { path: 'x' })).toMatchObject({ is_error: false })
  })

  it('needs every path covered, by a lock on it or on a directory above', async () => {
    const { agent } = workspace({ '/w/src/x': '1' })
    const a = agent('a', strict)
    await does(a, 'lock_acquire', { paths: ['src'] })
    expect((await does(a, 'fs_move', { from: 'src/x', to: 'y' })).content).toContain('no lock on /w/y')
    expect(await does(a, 'fs_move', { from: 'src/x', to: 'src/y' })).toMatchObject({ is_error: false })
  })

  it('is refused again once the lock has expired', async () => {
    const { agent, clock } = workspace()
    const a = agent('a', strict)
    await does(a, 'lock_acquire', { paths: ['x'], ttl: 5 })
    clock.advance(5_000)
    expect((await does(a, 'fs_write', { path: 'x' })).is_error).toBe(true)
  })

  it('harms no other call of the batch', async () => {
    const { agent, inner } = workspace({ '/w/y': 'text' })
    const results = await run(
      agent('a', strict),
      call('fs_write', { path: 'x' }),
      call('fs_read', { path: 'y' }),
    )
    expect(results).toMatchObject([{ is_error: true }, { is_error: false, content: 'text' }])
    expect(inner.batches).toHaveLength(1)
  })
})

describe('a path that cannot be judged', () => {
  const unclear = [
    { path: '../x' },
    { path: '~/x' },
    { path: 7 },
    {},
    { paths: ['x'] },
    { from: 'x', to: 'a/../b' },
  ]

  it.each(unclear)('(%j) is refused while others are at work', async (args) => {
    const { agent, inner } = workspace()
    const { content, is_error } = await does(agent('a', strict), 'fs_mkdir', args as never)
    expect(is_error).toBe(true)
    expect(content).toContain('what it would change cannot be told')
    expect(inner.batches).toEqual([])
  })

  it.each(unclear)('(%j) passes with a warning while the agent is alone', async (args) => {
    const { agent } = workspace()
    const result = await does(agent('a'), 'fs_mkdir', args as never)
    expect(result.leases_warning).toBe('What this call changed cannot be told, so no lock was looked for.')
  })

  it('warns of nothing else', async () => {
    const { agent } = workspace()
    expect(await does(agent('a'), 'fs_mkdir', { path: 'x' })).not.toHaveProperty('leases_warning')
  })
})

describe('the tools that are enforced', () => {
  it('are those that are named, and their locations', async () => {
    const { table } = workspace()
    await table.acquire({ holder: 'builder', paths: ['/w/repo'] })
    const agent = new Leases({
      inner: new Toolkit(),
      table,
      agentId: 'a',
      roots: { git: '/w' },
      enforcedTools: ['git_*'],
      pathParams: { 'git_*': ['repo'] },
    })
    expect((await does(agent, 'git_commit', { repo: 'repo' })).content).toContain('builder')
    expect(await does(agent, 'git_commit', { repo: 'other', path: 'repo' })).toMatchObject({
      is_error: false,
    })
    expect(await does(agent, 'fs_write', { path: '/w/repo' })).toMatchObject({ is_error: false })
  })
})

describe('while a change runs', () => {
  it.each(['release', 'expiry'])('its lock outlives its %s, and nobody else gets the path', async (end) => {
    const { agent, inner, table, clock } = workspace()
    const a = agent('a', strict)
    await does(a, 'lock_acquire', { paths: ['x'], ttl: 5 })
    inner.meanwhile = async () => {
      if (end === 'release') await table.releaseHolder('a')
      else clock.advance(5_000)
      expect((await table.acquire({ holder: 'b', paths: ['/w/x'] })).kind).toBe('refused')
    }
    await does(a, 'fs_write', { path: 'x' })
    expect((await table.acquire({ holder: 'b', paths: ['/w/x'] })).kind).toBe('granted')
  })

  it('a crash of what is below unpins, and is an answer', async () => {
    const { agent, inner, table } = workspace()
    const a = agent('a', strict)
    await does(a, 'lock_acquire', { paths: ['x'] })
    inner.meanwhile = () => Promise.reject(new Error('the server is gone'))
    expect(await does(a, 'fs_write', { path: 'x' })).toMatchObject({
      is_error: true,
      content: /server is gone/,
    })
    expect((await table.status()).pins).toEqual([])
  })

  it('and what answers nothing is an answer too', async () => {
    const { table } = workspace()
    const inner = new Toolkit()
    inner.executeToolCalls = async (calls) => calls.slice(1).map((call) => said(call, 'done'))
    expect(await does(new Leases({ inner, table, agentId: 'a' }), 'fs_read')).toMatchObject({
      is_error: true,
    })
  })
})

it('a table that is gone refuses changes and locks, and says so', async () => {
  const { inner } = workspace()
  const table = await LeaseTable.connect(new LeaseTable().port())
  table.close()
  const agent = new Leases({ inner, table, agentId: 'a' })
  for (const [tool, args] of [
    ['fs_write', { path: '/x' }],
    ['lock_acquire', { paths: ['/x'] }],
    ['lock_release', {}],
  ] as const)
    expect(await does(agent, tool, args)).toMatchObject({ is_error: true, content: /lease table is gone/ })
  expect(inner.batches).toEqual([])
})

it('calls go down as they are, with their options', async () => {
  const { table } = workspace()
  const inner = new Toolkit()
  const agent = new Leases({ inner, table, agentId: 'a' })
  const calls = [call('git_log', '{"n": 1}'), call('fs_edit', { path: '/x' })]
  const options = { claim: 'me', signal: new AbortController().signal }
  await agent.executeToolCalls(calls, options)
  expect(inner.batches).toHaveLength(1)
  expect(inner.batches[0]?.[0]).toBe(calls[0])
  expect(inner.batches[0]?.[1]).toBe(calls[1])
  expect(inner.options[0]).toMatchObject(options)
})
