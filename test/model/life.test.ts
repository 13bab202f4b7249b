import { describe, expect, it } from 'vitest'
import { LifeDriver } from './life-driver.ts'
import { type Bounds, exceeded, type LifeEvent, type LifeSnapshot, lifePaths, seen } from './life-model.ts'
import type { Path } from './paths.ts'

const abandoned = { kind: 'abandoned' } as const
const answered = { kind: 'answered' } as const

const lives: readonly (readonly [string, Bounds])[] = [
  [
    'one call and one question',
    { calls: { 'call-1': answered }, hasQuestion: true, mayRefuseVersion: false },
  ],
  [
    'two calls at once, one of which asks too often',
    { calls: { 'call-1': exceeded, 'call-2': answered }, hasQuestion: false, mayRefuseVersion: false },
  ],
  [
    'two calls that are given up',
    { calls: { 'call-1': abandoned, 'call-2': abandoned }, hasQuestion: false, mayRefuseVersion: false },
  ],
  [
    'a call, and a version that is refused',
    { calls: { 'call-1': answered }, hasQuestion: false, mayRefuseVersion: true },
  ],
]

/** The real machine, run, is where the real machine, computed, says it will be; and what must always hold holds. */
async function live({ steps }: Path<LifeSnapshot, LifeEvent>): Promise<void> {
  const driver = new LifeDriver()
  const trail: string[] = []
  const expectedSettlements: unknown[] = []
  for (const { event, state } of steps.slice(1)) {
    trail.push(event.type)
    if (event.type === 'roundTrip.settled')
      expectedSettlements.push({ call: event.call, outcome: event.outcome })
    await driver.act(event)
    const now = seen(driver.snapshot)
    expect(now, trail.join(' → ')).toEqual(seen(state))
    expect(isInputRequired(driver.snapshot), 'inputRequired is where something waits').toBe(now.waiting > 0)
    expect(driver.settled, 'every call is told once').toEqual(expectedSettlements)
  }
  if (driver.snapshot.value !== 'closed') return
  expect(driver.clock.pending, 'a closed connection has no timers').toBe(0)
  expect(driver.underWay, 'nothing of a closed connection is under way').toEqual([])
}

/** Of a connection that is ready for calls. */
function isInputRequired({ value, context }: LifeSnapshot): boolean {
  return typeof value === 'object' ? Object.values(value)[0] === 'inputRequired' : context.waiting > 0
}

describe.each(lives)('the life of a connection: %s', (_name, bounds) => {
  const { paths, edges, edgesOf } = lifePaths(bounds)

  it(`holds on ${paths.length} paths along every one of ${edges.size} edges`, async () => {
    await Promise.all(paths.map(live))
    expect(new Set(paths.flatMap(edgesOf)).size).toBe(edges.size)
  })
})
