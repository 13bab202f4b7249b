import { describe, expect, it } from 'vitest'
import { LeaseTableDriver } from './lease-table-driver.ts'
import { expectations, leaseTableSpecification } from './lease-table-specification.ts'
import { specificationPaths } from './paths.ts'

const { paths, edges, edgesOf } = specificationPaths(leaseTableSpecification)

describe('the lease table follows its specification', () => {
  it(`along ${paths.length} paths`, async () => {
    for (const { steps } of paths) {
      const driver = new LeaseTableDriver()
      const trail: string[] = []
      for (const { event, state } of steps.slice(1)) {
        trail.push(event.type)
        await driver.act(event)
        expect(await driver.known(), trail.join(' → ')).toEqual(expectations[state.value])
      }
      const { lease, state } = await driver.known()
      const isTimed = state === 'contended' || (lease && !lease.releasePending)
      expect(driver.timers, trail.join(' → ')).toBe(isTimed ? 1 : 0)
    }
  })

  it(`along every one of its ${edges.size} edges`, () => {
    expect(new Set(paths.flatMap(edgesOf)).size).toBe(edges.size)
  })
})
