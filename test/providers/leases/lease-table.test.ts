import { describe, expect, it } from 'vitest'
import { ConfigError } from '../../../src/errors.ts'
import { LeaseTable } from '../../../src/providers/leases/lease-table.ts'
import type { AcquireOutcome, AcquireRequest } from '../../../src/providers/leases/leasing.ts'
import { TestClock } from '../../../src/testing/index.ts'

function workspace() {
  const clock = new TestClock(1_000)
  return { clock, table: new LeaseTable({ clock }) }
}

const refusal = (outcome: AcquireOutcome) => (outcome.kind === 'refused' ? outcome.refusal : outcome.kind)

/** Whether somebody else would get the path now. */
async function isFree(table: LeaseTable, path: string): Promise<boolean> {
  const outcome = await table.acquire({ holder: 'probe', paths: [path] })
  if (outcome.kind === 'granted') await table.release({ holder: 'probe' })
  return outcome.kind === 'granted'
}

/** An acquisition under way, and how it ended so far. */
class Wait {
  begun = 0
  outcome: AcquireOutcome | undefined
  readonly over: Promise<void>

  constructor(table: LeaseTable, request: AcquireRequest, signal?: AbortSignal) {
    const onWait = () => {
      this.begun += 1
    }
    this.over = table.acquire(request, { signal, onWait }).then((outcome) => {
      this.outcome = outcome
    })
  }
}

function waits(table: LeaseTable, request: AcquireRequest, signal?: AbortSignal): Wait {
  return new Wait(table, request, signal)
}

describe('a lease', () => {
  it('says what it is: path, holder, generation, times and pins', async () => {
    const { table, clock } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'], ttlMs: 60_000 })
    clock.advance(12_000)
    expect(await table.status()).toEqual({
      state: 'free',
      leases: [
        {
          path: '/w/x',
          holder: 'a',
          generation: 1,
          acquiredAt: 1_000,
          ttlMs: 60_000,
          expiresAt: 61_000,
          pins: 0,
          releasePending: false,
          heldForMs: 12_000,
          expiresInMs: 48_000,
        },
      ],
      waiters: [],
      pins: [],
    })
  })

  it('lasts five minutes unless the table or the request says otherwise', async () => {
    const { table } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'] })
    await table.acquire({ holder: 'a', paths: ['/w/y'], ttlMs: 7 })
    const other = new LeaseTable({ defaultTtlMs: 500, clock: new TestClock() })
    await other.acquire({ holder: 'a', paths: ['/w/x'] })
    const ttls = [...(await table.status()).leases, ...(await other.status()).leases].map(
      ({ ttlMs }) => ttlMs,
    )
    expect(ttls).toEqual([300_000, 7, 500])
  })

  it('is granted for all paths or none', async () => {
    const { table } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/y'] })
    expect(refusal(await table.acquire({ holder: 'b', paths: ['/w/x', '/w/y', '/w/z'] }))).toMatchObject({
      reason: 'conflict',
      asked: '/w/y',
    })
    expect(await isFree(table, '/w/x')).toBe(true)
    expect(await isFree(table, '/w/z')).toBe(true)
  })

  it.each([
    ['the same path', '/w/x', '/w/x'],
    ['a trailing slash', '/w/x', '/w/x/'],
    ['a doubled separator', '/w/x', '/w//x'],
    ['a file in a leased directory', '/w', '/w/x/y'],
    ['a directory that holds a leased file', '/w/x/y', '/w'],
    ['the root', '/w/x', '/'],
    ['another case of the same letters, which some disks do not tell apart', '/w/x', '/W/X'],
    ['a directory of another case', '/w/x', '/W'],
    ['a relative path, which may be it', '/w/x', 'x'],
    ['an absolute path that a relative one may be', 'x', '/w/x'],
  ])('conflicts with %s', async (_, leased, asked) => {
    const { table, clock } = workspace()
    await table.acquire({ holder: 'a', paths: [leased] })
    clock.advance(400)
    const outcome = await table.acquire({ holder: 'b', paths: [asked] })
    expect(refusal(outcome)).toMatchObject({
      reason: 'conflict',
      by: 'lease',
      leased,
      holder: 'a',
      heldForMs: 400,
    })
  })

  it.each(['/w/xy', '/w/y', '/w2', '/w/x.bak', '/v/x'])('of /w/x leaves %s free', async (path) => {
    const { table } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'] })
    expect(await isFree(table, path)).toBe(true)
  })

  it.each(['/w/../x', '~/x', '/w\\x', 'C:/x', '/w/\0', ''])(
    'is refused for %j, which leads nobody knows where',
    async (path) => {
      const { table } = workspace()
      expect(refusal(await table.acquire({ holder: 'a', paths: ['/w/x', path] }))).toEqual({
        reason: 'unevaluable-path',
        path,
      })
      expect((await table.status()).leases).toEqual([])
    },
  )

  it('is refused for no paths', async () => {
    const { table } = workspace()
    expect(refusal(await table.acquire({ holder: 'a', paths: [] }))).toEqual({ reason: 'no-paths' })
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5' as never])(
    'is refused for a time to live of %s',
    async (ttlMs) => {
      const { table } = workspace()
      expect(refusal(await table.acquire({ holder: 'a', paths: ['/w/x'], ttlMs }))).toEqual({
        reason: 'invalid-ttl',
        ttlMs,
      })
    },
  )

  it.each([
    ['holder', { holder: '', paths: ['/w/x'] }],
    ['holder', { paths: ['/w/x'] } as never],
    ['paths', { holder: 'a', paths: '/w/x' as never }],
    ['paths', { holder: 'a', paths: [7 as never] }],
    ['waitMs', { holder: 'a', paths: ['/w/x'], waitMs: -1 }],
    ['wait', { holder: 'a', paths: ['/w/x'], wait: 90 } as never],
  ])('is no thing of a program that gives a bad %s', async (option, request) => {
    const { table } = workspace()
    const failure = await table.acquire(request).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConfigError)
    expect(failure).toMatchObject({ path: [option] })
  })
})

describe('a holder that acquires again', () => {
  it('has its clock set anew, and no second lease', async () => {
    const { table, clock } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'], ttlMs: 1_000 })
    clock.advance(900)
    expect(await table.acquire({ holder: 'a', paths: ['/w//x/'], ttlMs: 1_000 })).toMatchObject({
      kind: 'granted',
    })
    const { leases } = await table.status()
    expect(leases).toMatchObject([{ generation: 1, expiresInMs: 1_000, heldForMs: 900 }])
  })

  it('even while somebody waits for it', async () => {
    const { table, clock } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'], ttlMs: 1_000 })
    const b = waits(table, { holder: 'b', paths: ['/w/x'], waitMs: 10_000 })
    clock.advance(900)
    expect(await table.acquire({ holder: 'a', paths: ['/w/x'], ttlMs: 1_000 })).toMatchObject({
      kind: 'granted',
    })
    clock.advance(900)
    await table.status()
    expect(b.outcome).toBeUndefined()
  })

  it('what is in its own directory, keeps the directory', async () => {
    const { table, clock } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w'], ttlMs: 1_000 })
    clock.advance(900)
    await table.acquire({ holder: 'a', paths: ['/w/x'], ttlMs: 1_000 })
    expect((await table.status()).leases).toMatchObject([{ path: '/w', expiresInMs: 1_000 }])
  })

  it('and names a directory and what is in it at once, has one lease', async () => {
    const { table } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x/y', '/w', '/w'] })
    expect((await table.status()).leases).toMatchObject([{ path: '/w' }])
  })
})

describe('releasing', () => {
  it('frees the paths named, by any spelling, and tells which were not held', async () => {
    const { table } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x', '/w/y'] })
    const outcome = await table.release({ holder: 'a', paths: ['/w/x/', '/w/z', '..'] })
    expect(outcome).toEqual({ released: ['/w/x'], notHeld: ['/w/z', '..'] })
    expect([await isFree(table, '/w/x'), await isFree(table, '/w/y')]).toEqual([true, false])
  })

  it('without paths frees all of the holder, and nobody else', async () => {
    const { table } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x', '/w/y'] })
    await table.acquire({ holder: 'b', paths: ['/w/z'] })
    expect(await table.release({ holder: 'a' })).toEqual({ released: ['/w/x', '/w/y'], notHeld: [] })
    expect(await isFree(table, '/w/z')).toBe(false)
  })

  it('leaves alone the lease on a directory when a file in it is named, and the leases of others', async () => {
    const { table } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w'] })
    expect(await table.release({ holder: 'a', paths: ['/w/x'] })).toEqual({ released: [], notHeld: ['/w/x'] })
    expect(await table.release({ holder: 'b', paths: ['/w'] })).toEqual({ released: [], notHeld: ['/w'] })
    expect(await isFree(table, '/w')).toBe(false)
  })

  it('a holder that is gone frees what it held and waited for', async () => {
    const { table } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'] })
    const b = waits(table, { holder: 'b', paths: ['/w/x'], waitMs: 10_000 })
    const c = waits(table, { holder: 'c', paths: ['/w/x'], waitMs: 10_000 })
    await table.releaseHolder('b')
    expect(b.outcome).toEqual({ kind: 'withdrawn' })
    expect(await table.releaseHolder('a')).toEqual(['/w/x'])
    await c.over
    expect(c.outcome).toMatchObject({ kind: 'granted' })
  })

  it('all, at shutdown, refuses whoever waits or comes later', async () => {
    const { table, clock } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'] })
    const b = waits(table, { holder: 'b', paths: ['/w/x'], waitMs: 10_000 })
    expect(await table.releaseAll()).toEqual(['/w/x'])
    await b.over
    expect(b.outcome).toEqual({ kind: 'refused', refusal: { reason: 'drained' } })
    expect(refusal(await table.acquire({ holder: 'c', paths: ['/w/y'] }))).toEqual({ reason: 'drained' })
    expect(await table.status()).toEqual({ state: 'drained', leases: [], waiters: [], pins: [] })
    expect(clock.pending).toBe(0)
  })
})

describe('waiting', () => {
  it('is served first come first served, the moment every path is free', async () => {
    const { table } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'] })
    await table.acquire({ holder: 'b', paths: ['/w/y'] })
    const c = waits(table, { holder: 'c', paths: ['/w/x', '/w/y'], waitMs: 10_000 })
    const d = waits(table, { holder: 'd', paths: ['/w/y'], waitMs: 10_000 })
    expect((await table.status()).state).toBe('contended')
    await table.release({ holder: 'b' })
    expect([c.outcome, d.outcome]).toEqual([undefined, undefined])
    await table.release({ holder: 'a' })
    expect([c.outcome?.kind, d.outcome]).toEqual(['granted', undefined])
    await table.release({ holder: 'c' })
    await d.over
    expect(d.outcome?.kind).toBe('granted')
    expect((await table.status()).state).toBe('free')
  })

  it('is told once, with what is in the way, and only when it begins', async () => {
    const { table } = workspace()
    const a = waits(table, { holder: 'a', paths: ['/w/x'], waitMs: 10_000 })
    const b = waits(table, { holder: 'b', paths: ['/w/x'], waitMs: 10_000 })
    await table.release({ holder: 'a' })
    await b.over
    expect([a.begun, b.begun]).toEqual([0, 1])
  })

  it('is nobody’s to overtake, not even without waiting', async () => {
    const { table } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'] })
    waits(table, { holder: 'b', paths: ['/w/x', '/w/y'], waitMs: 10_000 })
    expect(refusal(await table.acquire({ holder: 'c', paths: ['/w/y/z'] }))).toEqual({
      reason: 'conflict',
      by: 'waiter',
      asked: '/w/y/z',
      leased: '/w/x, /w/y',
      holder: 'b',
      heldForMs: 0,
    })
  })

  it('ends after waitMs with what is in the way, and lets those behind it through', async () => {
    const { table, clock } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'] })
    const b = waits(table, { holder: 'b', paths: ['/w/x', '/w/y'], waitMs: 500 })
    const c = waits(table, { holder: 'c', paths: ['/w/y'], waitMs: 10_000 })
    clock.advance(499)
    await table.status()
    expect(b.outcome).toBeUndefined()
    clock.advance(1)
    await Promise.all([b.over, c.over])
    expect(refusalOf(b)).toMatchObject({ reason: 'conflict', by: 'lease', holder: 'a', heldForMs: 500 })
    expect(c.outcome?.kind).toBe('granted')
  })

  it('ends when it is given up, before it began or while it lasts', async () => {
    const { table } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'] })
    const ended = new AbortController()
    const b = waits(table, { holder: 'b', paths: ['/w/x'], waitMs: 10_000 }, ended.signal)
    ended.abort()
    await b.over
    const c = waits(table, { holder: 'c', paths: ['/w/z'], waitMs: 10_000 }, ended.signal)
    await c.over
    expect([b.outcome, c.outcome]).toEqual([{ kind: 'withdrawn' }, { kind: 'withdrawn' }])
    expect((await table.status()).waiters).toEqual([])
  })

  it('is refused to whoever holds a lease', async () => {
    const { table } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'] })
    await table.acquire({ holder: 'b', paths: ['/w/y'] })
    expect(refusal(await table.acquire({ holder: 'b', paths: ['/w/x'], waitMs: 1 }))).toEqual({
      reason: 'hold-and-wait',
      holds: ['/w/y'],
      waitsFor: ['/w/x'],
    })
    expect(await table.acquire({ holder: 'b', paths: ['/w/z'], waitMs: 1 })).toMatchObject({
      kind: 'granted',
    })
  })

  it('is all a holder does while it lasts', async () => {
    const { table } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'] })
    waits(table, { holder: 'b', paths: ['/w/x'], waitMs: 10_000 })
    for (const waitMs of [0, 10])
      expect(refusal(await table.acquire({ holder: 'b', paths: ['/w/y'], waitMs }))).toEqual({
        reason: 'hold-and-wait',
        holds: [],
        waitsFor: ['/w/x'],
      })
  })

  it('shows in the status, with everything in its way', async () => {
    const { table, clock } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'] })
    waits(table, { holder: 'b', paths: ['/w/x'], waitMs: 10_000 })
    clock.advance(100)
    waits(table, { holder: 'c', paths: ['/w'], waitMs: 10_000 })
    clock.advance(100)
    const { waiters } = await table.status()
    expect(waiters).toMatchObject([
      {
        holder: 'b',
        paths: ['/w/x'],
        waitingForMs: 200,
        endsInMs: 9_800,
        blockers: [{ by: 'lease', holder: 'a' }],
      },
      {
        holder: 'c',
        blockers: [
          { by: 'lease', holder: 'a', heldForMs: 200 },
          { by: 'waiter', holder: 'b', heldForMs: 200 },
        ],
      },
    ])
  })

  it('goes on when the callback that is told of it throws', async () => {
    const { table } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'] })
    const onWait = () => {
      throw new Error('a fault of the host')
    }
    const b = table.acquire({ holder: 'b', paths: ['/w/x'], waitMs: 10_000 }, { onWait })
    await table.release({ holder: 'a' })
    expect(await b).toMatchObject({ kind: 'granted' })
  })
})

function refusalOf({ outcome }: { readonly outcome: AcquireOutcome | undefined }) {
  return outcome && refusal(outcome)
}

describe('expiry', () => {
  it('ends a lease for every later message, and serves waiters without anyone having to ask', async () => {
    const { table, clock } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'], ttlMs: 1_000 })
    const b = waits(table, { holder: 'b', paths: ['/w/x'], waitMs: 10_000 })
    clock.advance(1_000)
    await b.over
    expect(b.outcome).toMatchObject({ kind: 'granted', leases: [{ acquiredAt: 2_000 }] })
    expect(await table.release({ holder: 'a', paths: ['/w/x'] })).toMatchObject({ notHeld: ['/w/x'] })
  })

  it('that comes with the end of a wait serves it', async () => {
    const { table, clock } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'], ttlMs: 1_000 })
    const b = waits(table, { holder: 'b', paths: ['/w/x'], waitMs: 1_000 })
    clock.advance(1_000)
    await b.over
    expect(b.outcome?.kind).toBe('granted')
  })

  it('leaves no timers behind', async () => {
    const { table, clock } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'], ttlMs: 1_000 })
    waits(table, { holder: 'b', paths: ['/w/x'], waitMs: 500 })
    expect(clock.pending).toBe(1)
    clock.advance(1_000)
    expect(clock.pending).toBe(0)
    expect(await table.status()).toEqual({ state: 'free', leases: [], waiters: [], pins: [] })
  })
})

describe('a pin', () => {
  const pinned = async (table: LeaseTable, paths: readonly string[]) => {
    const outcome = await table.pin({ holder: 'a', paths, coverage: 'required' })
    return outcome.kind === 'pinned' ? outcome.generations : []
  }

  it.each(['release', 'expiry', 'the end of its holder'])(
    'holds a lease past its %s until the write has landed',
    async (end) => {
      const { table, clock } = workspace()
      await table.acquire({ holder: 'a', paths: ['/w'], ttlMs: 1_000 })
      const generations = await pinned(table, ['/w/x', '/w/y'])
      expect(generations).toEqual([1])
      const b = waits(table, { holder: 'b', paths: ['/w/x'], waitMs: 10_000 })
      if (end === 'release') await table.release({ holder: 'a' })
      else if (end === 'expiry') clock.advance(1_000)
      else await table.releaseHolder('a')
      expect((await table.status()).pins).toMatchObject([{ path: '/w', pins: 1, releasePending: true }])
      expect(b.outcome).toBeUndefined()
      await table.unpin(generations)
      await b.over
      expect(b.outcome?.kind).toBe('granted')
    },
  )

  it('ends by what it was answered with, and nothing else', async () => {
    const { table } = workspace()
    await expect(table.unpin(1 as never)).rejects.toBeInstanceOf(ConfigError)
    await table.unpin([7])
    expect(await isFree(table, '/w/x')).toBe(true)
  })

  it('of two keeps it until both are over', async () => {
    const { table } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'] })
    const one = await pinned(table, ['/w/x'])
    const other = await pinned(table, ['/w/x'])
    await table.release({ holder: 'a' })
    await table.unpin(one)
    expect(await isFree(table, '/w/x')).toBe(false)
    await table.unpin(other)
    expect(await isFree(table, '/w/x')).toBe(true)
  })

  it('of an earlier generation harms no later one', async () => {
    const { table } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'] })
    const stale = await pinned(table, ['/w/x'])
    await table.unpin(stale)
    await table.release({ holder: 'a' })
    await table.acquire({ holder: 'a', paths: ['/w/x'] })
    await pinned(table, ['/w/x'])
    await table.unpin(stale)
    expect((await table.status()).pins).toMatchObject([{ generation: 2, pins: 1 }])
  })

  it('lets its holder take up again what it gave up, unless others wait for it', async () => {
    const { table } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'] })
    await pinned(table, ['/w/x'])
    await table.release({ holder: 'a' })
    expect(await table.acquire({ holder: 'a', paths: ['/w/x'] })).toMatchObject({
      leases: [{ generation: 1, pins: 1, releasePending: false }],
    })
    await table.release({ holder: 'a' })
    waits(table, { holder: 'b', paths: ['/w/x'], waitMs: 10_000 })
    expect(refusal(await table.acquire({ holder: 'a', paths: ['/w/x'] }))).toMatchObject({
      by: 'waiter',
      holder: 'b',
    })
  })

  it.each(['required', 'optional'] as const)(
    'is refused at a lease of another, covered or not (%s)',
    async (coverage) => {
      const { table } = workspace()
      await table.acquire({ holder: 'b', paths: ['/w/x/y'] })
      expect(await table.pin({ holder: 'a', paths: ['/w/x'], coverage })).toMatchObject({
        refusal: { reason: 'conflict', asked: '/w/x', leased: '/w/x/y', holder: 'b' },
      })
    },
  )

  it('needs a live lease that certainly covers every path, where it is required', async () => {
    const { table } = workspace()
    await table.acquire({ holder: 'a', paths: ['/w/x'] })
    for (const path of ['/w/y', '/w', '/W/x', 'x'])
      expect(await table.pin({ holder: 'a', paths: ['/w/x', path], coverage: 'required' })).toEqual({
        kind: 'refused',
        refusal: { reason: 'uncovered', path },
      })
    expect(await table.pin({ holder: 'a', paths: ['/w/x', '/w/y'], coverage: 'optional' })).toEqual({
      kind: 'pinned',
      generations: [1],
    })
  })

  it.each([
    [[], { reason: 'no-paths' }],
    [['/w/../x'], { reason: 'unevaluable-path', path: '/w/../x' }],
  ])('is refused for %j', async (paths, refused) => {
    const { table } = workspace()
    expect(await table.pin({ holder: 'a', paths, coverage: 'optional' })).toEqual({
      kind: 'refused',
      refusal: refused,
    })
  })
})

it.each([
  ['defaultTtlMs', 0],
  ['defaultTtlMs', '5'],
  ['clock', 7],
  ['ttl', 5],
])('a table with a bad %s (%j) is refused', (option, value) => {
  expect(() => new LeaseTable({ [option]: value })).toThrow(ConfigError)
})
