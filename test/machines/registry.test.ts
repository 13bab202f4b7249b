import { describe, expect, it } from 'vitest'
import { createActor, fromCallback, fromPromise } from 'xstate'
import {
  type ChildSpec,
  type IncarnationInput,
  registryMachine,
  type SupervisedChildEvent,
  supervisedChildMachine,
} from '../../machines/index.ts'
import { TestClock } from '../../src/testing/index.ts'
import { death, usualSpec } from './child-driver.ts'

/** A registry whose children live until a test ends them. */
function supervisor() {
  const clock = new TestClock()
  const log: string[] = []
  const ending = new Map<string, () => void>()
  const reports = new Map<string, (event: SupervisedChildEvent) => void>()
  const machine = registryMachine.provide({
    actors: {
      supervisedChild: supervisedChildMachine.provide({
        actors: {
          incarnation: fromCallback<SupervisedChildEvent, IncarnationInput>(({ input, sendBack }) => {
            log.push(`${input.id} starts`)
            reports.set(input.id, sendBack)
          }),
          endIncarnation: fromPromise(({ input }) => {
            log.push(`${input.id} is to end`)
            return new Promise<void>((resolve) => ending.set(input.id, resolve))
          }),
        },
      }),
    },
  })
  const actor = createActor(machine, { clock }).start()
  return {
    actor,
    clock,
    log,
    add: (id: string, spec: Partial<ChildSpec> = {}) =>
      actor.send({ type: 'child.add', id, spec: { ...usualSpec, ...spec } }),
    report: (id: string, event: SupervisedChildEvent) => reports.get(id)?.(event),
    gone: async (id: string) => {
      ending.get(id)?.()
      await clock.settle()
    },
    stateOf: (id: string) => actor.getSnapshot().children[id]?.getSnapshot().value,
    get children() {
      return Object.keys(actor.getSnapshot().children)
    },
  }
}

const down = {
  type: 'incarnation.down',
  generation: 1,
  phase: 'serving',
  failure: death,
  atMs: 0,
  chance: 0,
} as const

describe('a registry of children', () => {
  it('starts those that are eager, and lets the others wait', () => {
    const { add, log, stateOf } = supervisor()
    add('a')
    add('b', { start: 'lazy' })
    expect(log).toEqual(['a starts'])
    expect([stateOf('a'), stateOf('b')]).toEqual(['starting', { stopped: 'dormant' }])
  })

  it('lets one die without the others', () => {
    const { add, report, stateOf, actor } = supervisor()
    add('a', { maxRestarts: 0 })
    add('b')
    report('a', down)
    expect([stateOf('a'), stateOf('b')]).toEqual(['exhausted', 'starting'])
    expect(actor.getSnapshot().status).toBe('active')
  })

  it('forgets a child once nothing is left of it, and takes another of its name', async () => {
    const registry = supervisor()
    registry.add('a')
    registry.actor.send({ type: 'child.remove', id: 'a' })
    expect(registry.children).toContain('a')
    await registry.gone('a')
    expect(registry.children).not.toContain('a')
    registry.add('a')
    expect(registry.log.filter((line) => line === 'a starts')).toHaveLength(2)
  })

  it('stops its children one by one, the last that came first', async () => {
    const { actor, add, gone, log } = supervisor()
    for (const id of ['a', 'b', 'c']) add(id)
    log.length = 0
    actor.send({ type: 'drain' })
    expect(log).toEqual(['c is to end'])
    await gone('c')
    expect(log).toEqual(['c is to end', 'b is to end'])
    await gone('b')
    await gone('a')
    expect(log).toEqual(['c is to end', 'b is to end', 'a is to end'])
    expect(actor.getSnapshot()).toMatchObject({ status: 'done', value: 'stopped', context: { order: [] } })
  })

  it('takes no more children while it drains, and waits for those that were leaving', async () => {
    const registry = supervisor()
    const { actor, add, gone } = registry
    for (const id of ['a', 'b']) add(id)
    actor.send({ type: 'child.remove', id: 'a' })
    actor.send({ type: 'drain' })
    add('c')
    expect(registry.children).toEqual(['a', 'b'])
    await gone('a')
    expect(actor.getSnapshot().value).toBe('draining')
    await gone('b')
    expect(actor.getSnapshot().status).toBe('done')
  })

  it('has nothing to wait for when no child ever ran', () => {
    const { actor, add } = supervisor()
    for (const id of ['a', 'b']) add(id, { start: 'lazy' })
    actor.send({ type: 'drain' })
    expect(actor.getSnapshot().status).toBe('done')
  })

  it('leaves no timer behind', async () => {
    const { actor, add, report, gone, clock } = supervisor()
    add('a')
    report('a', down)
    expect(clock.pending).toBe(1)
    actor.send({ type: 'drain' })
    await gone('a')
    expect(clock.pending).toBe(0)
  })
})
