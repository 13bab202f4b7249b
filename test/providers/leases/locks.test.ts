import { describe, expect, it } from 'vitest'
import { ConfigError, Leases, LeaseTable } from '../../../src/index.ts'
import { call, namesOf, Toolkit } from '../registry/provider.ts'
import { does, run, strict, workspace } from './harness.ts'

describe('the catalogue', () => {
  it('has the two tools of this layer, and no inner tool of their names', async () => {
    const { agent } = workspace()
    const names = await namesOf(agent('a'))
    expect(names.slice(-2)).toEqual(['lock_acquire', 'lock_release'])
    expect(names.filter((name) => name === 'lock_acquire')).toHaveLength(1)
    const described = (await agent('a').toolsForLlm()).find((tool) => tool.function.name === 'lock_acquire')
    expect(JSON.stringify(described)).toContain('default 90')
  })

  it('is the inner one where the tools are not published, and so are their calls', async () => {
    const { table } = workspace()
    const inner = new Toolkit('lock_acquire')
    const agent = new Leases({ inner, table, agentId: 'a', publishTools: false })
    expect(await namesOf(agent)).toEqual(['lock_acquire'])
    expect(await does(agent, 'lock_acquire')).toMatchObject({ content: 'lock_acquire was run' })
  })

  it('throws when the inner one cannot be listed', async () => {
    const { table } = workspace()
    const inner = new Toolkit()
    inner.toolsForLlm = () => Promise.reject(new Error('no list'))
    await expect(new Leases({ inner, table, agentId: 'a' }).toolsForLlm()).rejects.toThrow('no list')
  })
})

describe('lock_acquire', () => {
  it('locks for this agent, relative to the root, and says for how long', async () => {
    const { agent, table } = workspace()
    const { content, is_error } = await does(agent('a'), 'lock_acquire', { paths: ['src/', '/w/x'], ttl: 60 })
    expect(is_error).toBe(false)
    expect(content).toMatch(/Locked for 60 s: \/w\/x, \/w\/src|Locked for 60 s: \/w\/src, \/w\/x/)
    expect((await table.status()).leases.map(({ path, holder }) => [holder, path]).sort()).toEqual([
      ['a', '/w/src'],
      ['a', '/w/x'],
    ])
  })

  it.each([
    [{ lock: '/locks', fs: '/w' }, '/locks/x'],
    [{ fs: '/w' }, '/w/x'],
    [{ fs: '/w', git: '/w' }, '/w/x'],
    [{ fs: '/w', git: '/v' }, 'x'],
    [{}, 'x'],
  ])('with the roots %j locks %s for x', async (roots, path) => {
    const { agent, table } = workspace()
    await does(agent('a', { roots }), 'lock_acquire', { paths: ['x'] })
    expect((await table.status()).leases).toMatchObject([{ path }])
  })

  it('waits 90 s for another agent, and then names it, and how long it has held the path', async () => {
    const { agent, clock } = workspace()
    await does(agent('builder'), 'lock_acquire', { paths: ['x'] })
    clock.advance(12_000)
    const waiting = does(agent('a'), 'lock_acquire', { paths: ['x/y'] })
    await clock.advanceAsync(90_000)
    expect(await waiting).toMatchObject({
      is_error: true,
      content:
        'Nothing was locked: builder has held a lock on /w/x, which overlaps /w/x/y for 102 s. Work on something else and try again later.',
    })
  })

  it('does not wait with wait 0', async () => {
    const { agent } = workspace()
    await does(agent('builder'), 'lock_acquire', { paths: ['x'] })
    expect((await does(agent('a'), 'lock_acquire', { paths: ['x'], wait: 0 })).content).toContain('builder')
  })

  it('waits no longer than a lock lasts by default', async () => {
    const { inner, clock } = workspace()
    const table = new LeaseTable({ clock, defaultTtlMs: 5_000 })
    await table.acquire({ holder: 'builder', paths: ['/x'], ttlMs: 60_000 })
    const waiting = does(new Leases({ inner, table, agentId: 'a' }), 'lock_acquire', {
      paths: ['/x'],
      wait: 1_000,
    })
    await clock.advanceAsync(5_000)
    expect((await waiting).content).toContain('builder has held a lock on /x for 5 s')
  })

  it('gets the path the moment it is free', async () => {
    const { agent, table, clock } = workspace()
    await does(agent('builder'), 'lock_acquire', { paths: ['x'] })
    const waiting = does(agent('a'), 'lock_acquire', { paths: ['x'] })
    await clock.settle()
    await does(agent('builder'), 'lock_release')
    expect(await waiting).toMatchObject({ is_error: false })
    expect((await table.status()).leases).toMatchObject([{ holder: 'a' }])
  })

  it('tells an agent that holds a lock, and would have to wait, to lock everything at once', async () => {
    const { agent } = workspace()
    await does(agent('builder'), 'lock_acquire', { paths: ['x'] })
    await does(agent('a'), 'lock_acquire', { paths: ['y'] })
    const { content, is_error } = await does(agent('a'), 'lock_acquire', { paths: ['x'] })
    expect(is_error).toBe(true)
    expect(content).toContain(
      'Call lock_release, then lock_acquire with everything you need at once: {"paths":["/w/y","/w/x"]}',
    )
  })

  it.each([
    [{}, /`paths` must be an array/],
    [{ paths: 'x' }, /`paths` must be an array/],
    [{ paths: [7] }, /`paths` must be an array/],
    [{ paths: [] }, /name at least one path/],
    [{ paths: ['../x'] }, /where "..\/x" leads cannot be told/],
    [{ paths: ['x'], ttl: 0 }, /`ttl` must be a number of seconds above 0/],
    [{ paths: ['x'], ttl: 'long' }, /`ttl` must be a number of seconds/],
    [{ paths: ['x'], wait: -1 }, /`wait` must be a number of seconds/],
    [{ paths: ['x'], wait: 'long' }, /`wait` must be a number of seconds/],
    ['{"paths": [', /not JSON/],
  ])('with %j says what is wrong', async (args, complaint) => {
    const { agent, table } = workspace()
    const { content, is_error } = await does(agent('a'), 'lock_acquire', args)
    expect(is_error).toBe(true)
    expect(content).toMatch(complaint)
    expect((await table.status()).leases).toEqual([])
  })

  it('says so when no more locks are given', async () => {
    const { agent, table } = workspace()
    await table.releaseAll()
    expect((await does(agent('a'), 'lock_acquire', { paths: ['x'] })).content).toContain(
      'no more locks are given',
    )
  })

  it('ends its wait when the calls are aborted', async () => {
    const { agent, table, clock } = workspace()
    await does(agent('builder'), 'lock_acquire', { paths: ['x'] })
    const ended = new AbortController()
    const waiting = agent('a').executeToolCalls(
      [call('lock_acquire', { paths: ['x'] }), call('fs_read', { path: 'x' })],
      { signal: ended.signal },
    )
    await clock.settle()
    ended.abort()
    expect(await waiting).toMatchObject([
      { is_error: true, content: 'Nothing was locked: the wait was cancelled.' },
      { is_error: true, content: /cancelled/ },
    ])
    expect((await table.status()).waiters).toEqual([])
  })
})

describe('lock_release', () => {
  it('gives back the paths named, or everything', async () => {
    const { agent, table } = workspace()
    await does(agent('a'), 'lock_acquire', { paths: ['x', 'y', 'z'] })
    expect((await does(agent('a'), 'lock_release', { paths: ['x'] })).content).toBe('Released: /w/x.')
    expect((await does(agent('a'), 'lock_release')).content).toBe('Released: /w/y, /w/z.')
    expect(await does(agent('a'), 'lock_release')).toMatchObject({
      is_error: false,
      content: 'Nothing was released.',
    })
    expect((await table.status()).leases).toEqual([])
  })

  it('says which paths are not locked', async () => {
    const { agent } = workspace()
    await does(agent('a'), 'lock_acquire', { paths: ['src'] })
    const { content, is_error } = await does(agent('a'), 'lock_release', { paths: ['src/x'] })
    expect(is_error).toBe(true)
    expect(content).toContain('You hold no lock on /w/src/x')
  })

  it('with bad paths says what is wrong', async () => {
    const { agent } = workspace()
    expect((await does(agent('a'), 'lock_release', { paths: 'x' })).content).toMatch(/must be an array/)
  })
})

describe('in one batch', () => {
  it('the locks settle first, in order, and the others go down as one batch with their answers in place', async () => {
    const { agent, inner } = workspace()
    const results = await run(
      agent('a', strict),
      call('fs_write', { path: 'x', content: '1' }),
      call('lock_acquire', { paths: ['x'] }),
      call('fs_read', { path: 'x' }),
      call('lock_release', { paths: ['x'] }),
      call('lock_acquire', { paths: ['x', 'y'] }),
      call('fs_write', { path: 'y', content: '2' }),
    )
    expect(results.map(({ is_error }) => is_error)).toEqual([false, false, false, false, false, false])
    expect(results[2]?.content).toBe('1')
    expect(inner.batches.map((batch) => batch.map((call) => call.function.name))).toEqual([
      ['fs_write', 'fs_read', 'fs_write'],
    ])
  })

  it('what is malformed is answered, and harms nothing else', async () => {
    const { agent } = workspace()
    const results = await run(
      agent('a'),
      null as never,
      call('fs_write', '{'),
      call('fs_write', { path: 'x' }),
    )
    expect(results.map(({ is_error }) => is_error)).toEqual([true, true, false])
  })

  it('no array, or unknown options, are answered too', async () => {
    const { agent } = workspace()
    expect(await agent('a').executeToolCalls('calls' as never)).toMatchObject([{ is_error: true }])
    expect(await agent('a').executeToolCalls([call('fs_read')], { signal: 7 as never })).toMatchObject([
      { is_error: true, content: /signal/ },
    ])
  })
})

describe('a wait', () => {
  it.each(['granted', 'refused', 'aborted'])(
    'that ends %s is told once when it begins and once when it ends',
    async (end) => {
      const { agent, clock } = workspace()
      await does(agent('builder'), 'lock_acquire', { paths: ['x'] })
      const told: unknown[] = []
      const hooks = {
        onWaitBegin: (wait: object) => void told.push(['begin', wait]),
        onWaitEnd: (wait: object) => void told.push(['end', wait]),
      }
      const ended = new AbortController()
      const waiting = agent('a', hooks).executeToolCalls([call('lock_acquire', { paths: ['x'] })], {
        signal: ended.signal,
      })
      await clock.settle()
      expect(told).toHaveLength(1)
      if (end === 'granted') await does(agent('builder'), 'lock_release')
      else if (end === 'refused') await clock.advanceAsync(90_000)
      else ended.abort()
      await waiting
      const wait = { agentId: 'a', paths: ['/w/x'], conflict: { holder: 'builder' } }
      expect(told).toMatchObject([
        ['begin', wait],
        ['end', wait],
      ])
    },
  )

  it('that never begins is not told', async () => {
    const { agent } = workspace()
    let told = 0
    const count = () => {
      told += 1
    }
    const a = agent('a', { onWaitBegin: count, onWaitEnd: count })
    await does(a, 'lock_acquire', { paths: ['x'] })
    await does(agent('b', { onWaitBegin: count, onWaitEnd: count }), 'lock_acquire', {
      paths: ['x'],
      wait: 0,
    })
    expect(told).toBe(0)
  })

  it('goes on when the hooks throw or reject', async () => {
    const { agent, clock } = workspace()
    await does(agent('builder'), 'lock_acquire', { paths: ['x'] })
    const onWaitBegin = () => {
      throw new Error('a fault of the host')
    }
    const onWaitEnd = () => Promise.reject(new Error('a fault of the host')) as never
    const waiting = does(agent('a', { onWaitBegin, onWaitEnd }), 'lock_acquire', { paths: ['x'] })
    await clock.settle()
    await does(agent('builder'), 'lock_release')
    expect(await waiting).toMatchObject({ is_error: false })
  })

  it('ends when the host says that it is cancelled', async () => {
    const { agent, clock } = workspace()
    await does(agent('builder'), 'lock_acquire', { paths: ['x'] })
    let isCancelled = false
    const waiting = does(agent('a', { cancelled: () => isCancelled }), 'lock_acquire', { paths: ['x'] })
    await clock.advanceAsync(5_000)
    isCancelled = true
    await clock.advanceAsync(1_000)
    expect(await waiting).toMatchObject({ is_error: true, content: /wait was cancelled/ })
  })

  it('goes on when it cannot be told whether it is cancelled', async () => {
    const { agent, clock } = workspace()
    await does(agent('builder'), 'lock_acquire', { paths: ['x'] })
    const cancelled = () => {
      throw new Error('a fault of the host')
    }
    const waiting = does(agent('a', { cancelled }), 'lock_acquire', { paths: ['x'] })
    await clock.advanceAsync(5_000)
    await does(agent('builder'), 'lock_release')
    expect(await waiting).toMatchObject({ is_error: false })
    expect(clock.pending).toBe(1)
  })
})

it('passes on the events of what is below', () => {
  const { table } = workspace()
  const inner = new Toolkit()
  const agent = new Leases({ inner, table, agentId: 'a' })
  const heard: unknown[] = []
  agent.on?.('catalogue', (event) => heard.push(event))
  inner.tell('catalogue', { path: ['x'] })
  expect(heard).toEqual([{ path: ['x'] }])
  const silent = { toolsForLlm: () => inner.toolsForLlm(), executeToolCalls: async () => [] }
  expect(new Leases({ inner: silent, table, agentId: 'a' }).on).toBeUndefined()
})

it.each([
  ['inner', undefined],
  ['inner', {}],
  ['table', {}],
  ['agentId', ''],
  ['concurrent', 2],
  ['enforcedTools', 'fs_write'],
  ['roots', { fs: '../x' }],
  ['pathParams', { fs: 'path' }],
  ['provider', 7],
])('a layer with a bad %s (%j) is refused', (option, value) => {
  const { table, inner } = workspace()
  expect(() => new Leases({ inner, table, agentId: 'a', [option]: value })).toThrow(ConfigError)
})
