import { describe, expect, it } from 'vitest'
import { specificationPaths } from './paths.ts'
import { known, outermost, ProbeDriver } from './probe-driver.ts'
import { probeSpecification } from './probe-specification.ts'

const { paths, edges, edgesOf } = specificationPaths(probeSpecification)
type ProbePath = (typeof paths)[number]

const walked = new Set<string>()

/** Every step is taken by the real machine too, which must then know what the specification says. */
async function walk(path: ProbePath): Promise<void> {
  const driver = new ProbeDriver()
  const trail: string[] = []
  for (const { event, state } of path.steps.slice(1)) {
    trail.push(event.type)
    await driver.act(event)
    const expected = { state: realState(state.value), ...state.context }
    expect(known(driver.snapshot), trail.join(' → ')).toEqual(expected)
  }
  // A wire that is being closed has its own budget.
  const isClosing = driver.snapshot.matches('closing')
  expect(driver.clock.pending, `${trail.join(' → ')} left a timer`).toBe(isClosing ? 1 : 0)
  for (const edge of edgesOf(path)) walked.add(edge)
}

/** The specification knows a state that is the same to the machine. */
function realState(value: string | object): string {
  return value === 'probingAgain' ? 'probing' : outermost(value)
}

/** Paths that open alike and end alike, by name. */
function groups(): readonly (readonly [string, readonly ProbePath[]])[] {
  const named = new Map<string, ProbePath[]>()
  for (const path of paths) {
    const name = `${path.steps[1]?.event.type} … ${outermost(path.state.value)}`
    named.set(name, [...(named.get(name) ?? []), path])
  }
  return [...named]
}

describe('the connection machine follows the specification of the era probe', () => {
  it.each(groups())('%s', async (_name, alike) => {
    await Promise.all(alike.map(walk))
  })

  it(`along every one of its ${edges.size} edges, on ${paths.length} paths`, () => {
    expect([...edges].filter((edge) => !walked.has(edge)).slice(0, 5)).toEqual([])
    expect(walked.size).toBe(edges.size)
  })
})
