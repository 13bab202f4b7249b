import { expect, it } from 'vitest'
import { createActor, createMachine, type InspectionEvent } from 'xstate'
import { harmless } from '../../../src/client/inspection/inspect.ts'

const machine = createMachine({ initial: 'off', states: { off: { on: { toggle: 'on' } }, on: {} } })

it('an observer that throws harms no machine that it watches, and is reported', () => {
  const warnings: string[] = []
  const blind = () => {
    throw new Error('blind')
  }
  const actor = createActor(machine, {
    inspect: harmless(blind, (message) => warnings.push(message)),
  }).start()
  actor.send({ type: 'toggle' })
  expect(actor.getSnapshot()).toMatchObject({ value: 'on', status: 'active' })
  expect(new Set(warnings)).toEqual(new Set(['inspect threw: blind']))
})

it('an observer is told the same, whatever its form', () => {
  const told: InspectionEvent['type'][][] = [[], []]
  const [byFunction = [], byObserver = []] = told
  for (const inspect of [
    (event: InspectionEvent) => void byFunction.push(event.type),
    { next: (event: InspectionEvent) => void byObserver.push(event.type) },
  ])
    createActor(machine, { inspect: harmless(inspect, () => {}) }).start()
  expect(byFunction).toEqual(byObserver)
  expect(byFunction).toContain('@xstate.snapshot')
})
