import { expect, it, describe as suite } from 'vitest'
import { createMachine } from 'xstate'
import { machines } from '../../machines/index.ts'
import { describe } from '../../src/diagram/describe.ts'
import { toStately } from '../../src/diagram/stately.ts'
import { kilnMachine } from './kiln-machine.ts'

const samples = Object.entries({ kiln: kilnMachine, ...machines })

suite('toStately', () => {
  it.each(samples)('gives JSON from which %s can be built again', (_name, machine) => {
    const chart = describe(machine)
    const json = JSON.stringify(toStately(chart))
    expect(describe(createMachine(JSON.parse(json)))).toEqual(chart)
  })

  it('refers to guards, actions, actors and delays by name', () => {
    expect(toStately(describe(kilnMachine))).toMatchObject({
      id: 'kiln',
      initial: 'cold',
      on: { STOP: [{ target: '#kiln.off', actions: ['record'] }] },
      states: {
        lighting: {
          invoke: [{ src: 'ignite', onDone: [{ guard: 'hot', target: '#kiln.firing' }, { reenter: true }] }],
          after: { soak: [{ target: '#kiln.cold' }] },
        },
      },
    })
  })

  it('finds a state whose key or id has a dot in it', () => {
    const machine = createMachine({
      id: 'v1.0',
      initial: 'a.b',
      states: { 'a.b': { on: { GO: 'c' } }, c: { on: { BACK: '#v1\\.0.a\\.b' } } },
    })
    const config = toStately(describe(machine))
    expect(describe(createMachine(config))).toEqual(describe(machine))
  })
})
