import { describe, expect, it } from 'vitest'
import { specificationPaths } from './paths.ts'
import { QuestionDriver } from './question-driver.ts'
import { questionSpecification } from './question-specification.ts'

const { paths, edges, edgesOf } = specificationPaths(questionSpecification)

describe('the queue of questions follows its specification', () => {
  it(`along ${paths.length} paths`, async () => {
    for (const { steps } of paths) {
      const driver = new QuestionDriver()
      const walked: string[] = []
      for (const { event, state } of steps.slice(1)) {
        await driver.act(event)
        walked.push(event.type)
        const { queue, outcomes } = state.context
        expect(driver.known, walked.join(' → ')).toEqual({ state: state.value, queue, outcomes })
        expect(driver.inFront, walked.join(' → ')).toEqual(queue.slice(0, 1))
        expect([driver.isListening, driver.clock.pending]).toEqual([
          queue.length > 0,
          queue.length > 0 ? 1 : 0,
        ])
      }
    }
  })

  it(`and every one of its ${edges.size} edges`, () => {
    expect(new Set(paths.flatMap(edgesOf)).size).toBe(edges.size)
  })
})
