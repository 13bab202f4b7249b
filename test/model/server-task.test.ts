import { describe, expect, it } from 'vitest'
import { specificationPaths } from './paths.ts'
import { ServerTaskDriver } from './server-task-driver.ts'
import { serverTaskSpecification } from './server-task-specification.ts'

const { paths, edges, edgesOf } = specificationPaths(serverTaskSpecification)

describe('a task of a server follows its specification', () => {
  it(`along ${paths.length} paths`, async () => {
    for (const { steps } of paths) {
      const driver = await new ServerTaskDriver().begin()
      const walked: string[] = []
      for (const { event, state } of steps.slice(1)) {
        const toldBefore = driver.told.length
        const before = await driver.known()
        await driver.act(event)
        walked.push(event.type)
        const known = await driver.known()
        expect(known, walked.join(' → ')).toEqual(state.context)
        // Nobody else finds it, and who follows it is told what a client that asks is told: of every change, once, until it is gone.
        expect(await driver.find('eve')).toBeUndefined()
        const isToldOf = JSON.stringify(known) !== JSON.stringify(before) && known.status !== 'unknown'
        expect(driver.told.slice(toldBefore), walked.join(' → ')).toEqual(
          isToldOf ? [await driver.find()] : [],
        )
      }
      const isGone = (await driver.known()).status === 'unknown'
      expect(driver.clock.pending).toBe(isGone ? 0 : 1)
    }
  })

  it(`and every one of its ${edges.size} edges`, () => {
    expect(new Set(paths.flatMap(edgesOf)).size).toBe(edges.size)
  })
})
