import { describe, expect, it } from 'vitest'
import { LifeDriver } from './life-driver.ts'
import {
  type Bounds,
  type LifeEvent,
  type LifeSnapshot,
  type LongCall,
  lifePaths,
  seen,
} from './life-model.ts'
import type { Path } from './paths.ts'

const answered: LongCall = { beganAs: 'question', outcome: { kind: 'answered' } }
const abandoned: LongCall = { beganAs: 'question', outcome: { kind: 'abandoned' } }
const exceeded: LongCall = { beganAs: 'question', outcome: { kind: 'exceeded', rounds: 1 } }
const task: LongCall = { beganAs: 'task', outcome: { kind: 'answered' } }
const abandonedTask: LongCall = { beganAs: 'task', outcome: { kind: 'abandoned' } }

const quiet: Bounds = { calls: {}, hasQuestion: false, mayRefuseVersion: false, mayLoseSession: false }
const lives: readonly (readonly [string, Bounds])[] = [
  ['one call and one question', { ...quiet, calls: { 'call-1': answered }, hasQuestion: true }],
  [
    'two calls at once, one of which is asked too often',
    { ...quiet, calls: { 'call-1': exceeded, 'call-2': answered } },
  ],
  ['two calls that are given up', { ...quiet, calls: { 'call-1': abandoned, 'call-2': abandoned } }],
  ['a task beside a call', { ...quiet, calls: { 'call-1': task, 'call-2': answered } }],
  [
    'a task that is given up, and a version that is refused',
    { ...quiet, calls: { 'call-1': abandonedTask }, mayRefuseVersion: true },
  ],
  [
    'a call, and a version that is refused',
    { ...quiet, calls: { 'call-1': answered }, mayRefuseVersion: true },
  ],
  ['sessions that are lost', { ...quiet, mayLoseSession: true }],
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
