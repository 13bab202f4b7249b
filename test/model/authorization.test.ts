import { describe, expect, it } from 'vitest'
import { AuthorizationDriver } from './authorization-driver.ts'
import { authorizationSpecification } from './authorization-specification.ts'
import { shortestPaths } from './paths.ts'

describe.each([
  ['with a person', true],
  ['without one', false],
])('the authorization machine, %s, follows its specification', (_, needsPerson) => {
  const { paths, edges, edgesOf } = shortestPaths(authorizationSpecification(needsPerson))

  it(`along ${paths.length} paths`, async () => {
    for (const { steps } of paths) {
      const driver = new AuthorizationDriver(needsPerson)
      const walked: string[] = []
      let tokens = 0
      for (const { event, state } of steps.slice(1)) {
        await driver.act(event)
        walked.push(event.type)
        if (gains.has(event.type)) tokens += 1
        const { token, cause, asked, hasFailed } = state.context
        expect(driver.known, walked.join(' → ')).toEqual({
          state: state.value,
          token,
          cause,
          asked,
          hasFailed,
        })
        // Whoever shows a token tells by its number which one was refused.
        expect(driver.generation, walked.join(' → ')).toBe(tokens)
        expect(driver.clock.pending, walked.join(' → ')).toBe(state.value === 'failed' ? 1 : 0)
      }
    }
  })

  it(`and over every one of its ${edges.size} edges`, () => {
    expect(new Set(paths.flatMap(edgesOf)).size).toBe(edges.size)
  })
})

const gains = new Set(['a sign-in was stored', 'a token is issued', 'a fresh token comes'])
