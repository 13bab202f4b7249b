import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChildDriver, death, exit } from './child-driver.ts'

type Act = (child: ChildDriver) => unknown

const acts: { readonly [name: string]: Act } = {
  demand: (child) => child.demand(),
  restart: (child) => child.send({ type: 'restart' }),
  up: (child) => child.up(),
  'late up': (child) => child.up(child.context.generation - 1),
  dies: (child) => child.down(),
  'dies of its probe': (child) => child.down({ phase: 'probing', chance: 1 }),
  exits: (child) => child.down({ failure: exit }),
  'late death': (child) => child.down({ generation: child.context.generation - 1, failure: death }),
  'no calls': (child) => child.send({ type: 'calls.none' }),
  calls: (child) => child.send({ type: 'calls.some' }),
  'time passes': (child) => child.clock.advance(child.clock.nextInMs ?? 1_000),
  'is gone': (child) => child.gone(),
}

const anyLife = fc.record({
  acts: fc.array(fc.constantFrom(...Object.keys(acts)), { maxLength: 60 }),
  restart: fc.constantFrom('permanent' as const, 'transient' as const, 'temporary' as const),
  maxRestarts: fc.integer({ min: 0, max: 3 }),
  idleStopMs: fc.constantFrom(undefined, 500),
})

const live = async ({
  acts: names,
  ...spec
}: typeof anyLife extends fc.Arbitrary<infer Life> ? Life : never) => {
  const child = new ChildDriver(spec)
  const visited = new Set<string>()
  for (const name of names) {
    await acts[name]?.(child)
    check(child)
    visited.add(JSON.stringify(child.state))
  }
  return { child, visited }
}

/** What holds whatever happens. */
function check({ state, context, starts, stopped, clock }: ChildDriver): void {
  const isAlive = state === 'starting' || (typeof state === 'object' && 'up' in state)
  expect(starts).toHaveLength(context.generation)
  expect(starts.length - stopped).toBe(isAlive ? 1 : 0)
  const isTimed =
    state === 'backingOff' || (typeof state === 'object' && 'up' in state && state.up === 'idle')
  expect(clock.pending).toBe(isTimed ? 1 : 0)
  const { recentMs } = context.record
  expect(recentMs.length).toBeLessThanOrEqual(context.spec.maxRestarts + 1)
  if (isAlive) expect(recentMs.length).toBeLessThanOrEqual(context.spec.maxRestarts)
  if (state === 'backingOff') expect(context.delayMs).toBeLessThanOrEqual(context.spec.backoff.maxMs)
}

describe('whatever happens to a supervised child', () => {
  it('has one incarnation while it starts or is up and none otherwise, and no timer it does not wait for', async () => {
    const visited = new Set<string>()
    await fc.assert(
      fc.asyncProperty(anyLife, async (life) => {
        for (const state of (await live(life)).visited) visited.add(state)
      }),
      // Seeded, so that every state is visited every time.
      { numRuns: 1_000, seed: 1 },
    )
    for (const state of [
      'starting',
      'backingOff',
      'exhausted',
      'needed',
      'idle',
      'dormant',
      'ended',
      'toStart',
      'toSleep',
    ])
      expect(
        [...visited].filter((seen) => seen.includes(`"${state}"`)),
        state,
      ).not.toEqual([])
  })

  it('stops when it is told to, and for good', async () => {
    await fc.assert(
      fc.asyncProperty(anyLife, async (life) => {
        const { child } = await live(life)
        child.send({ type: 'stop' }).send({ type: 'calls.none' }).demand()
        await child.gone()
        expect(child.state).toEqual({ stopped: 'ended' })
        expect(child.told).toEqual(['child'])
        check(child)
      }),
      { numRuns: 200 },
    )
  })
})
