import { describe, expect, it } from 'vitest'
import { specificationPaths } from './paths.ts'
import { RoundTripDriver } from './round-trip-driver.ts'
import { roundTripSpecification } from './round-trip-specification.ts'

const { paths, edges, edgesOf } = specificationPaths(roundTripSpecification)

describe('the round-trip machine follows its specification', () => {
  it.each(
    paths.map(
      (path) =>
        [
          path.steps
            .map(({ event }) => event.type)
            .slice(1)
            .join(' → '),
          path,
        ] as const,
    ),
  )('%s', async (_name, { steps }) => {
    const driver = new RoundTripDriver()
    for (const { event, state } of steps.slice(1)) {
      await driver.act(event)
      expect(driver.known, event.type).toEqual({ state: state.value, ...state.context })
    }
    const isTimed = ['waiting', 'backingOff'].includes(driver.known.state)
    expect(driver.clock.pending).toBe(isTimed ? 1 : 0)
  })

  it(`along every one of its ${edges.size} edges`, () => {
    expect(new Set(paths.flatMap(edgesOf)).size).toBe(edges.size)
  })
})
