import { expect, it } from 'vitest'
import { contend } from './contention.ts'

it('a thousand agents that want fifty paths all get their turns, and nobody is overtaken', async () => {
  const { turns, refusals, pending } = await contend({ agents: 1_000, paths: 50, rounds: 2 })
  expect({ turns: turns.length, refusals, pending }).toEqual({ turns: 2_000, refusals: 0, pending: 0 })
  const paths = new Set(turns.flatMap(({ paths }) => paths))
  expect(paths.size).toBe(50)
  for (const path of paths) {
    const came = turns.filter((turn) => turn.paths.includes(path)).map((turn) => turn.came)
    expect(came, `who wanted ${path}, in the order they got it`).toEqual(came.toSorted((a, b) => a - b))
  }
})
