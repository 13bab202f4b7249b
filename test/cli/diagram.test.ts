import { expect, it } from 'vitest'
import { machines } from '../../machines/index.ts'
import { describe } from '../../src/diagram/describe.ts'
import { toMermaid } from '../../src/diagram/mermaid.ts'
import { toStately } from '../../src/diagram/stately.ts'
import { json, troupe } from './harness.ts'

it('lists the machines', async () => {
  const names = Object.keys(machines)
  expect(await troupe(['diagram'])).toMatchObject({ exitCode: 0, out: `${names.join('\n')}\n` })
  expect(json((await troupe(['diagram', '--json'])).out)).toEqual({ machines: names })
})

it.each(Object.entries(machines))('draws %s', async (name, machine) => {
  const chart = describe(machine)
  expect((await troupe(['diagram', name])).out).toBe(toMermaid(chart))
  const config = toStately(chart)
  expect(json((await troupe(['diagram', name, '--json'])).out)).toEqual(config)
  expect(json((await troupe(['diagram', name, '--format', 'json'])).out)).toEqual(config)
})

it('draws for Graphviz', async () => {
  const { exitCode, out } = await troupe(['diagram', 'connection', '--format', 'dot'])
  expect(exitCode).toBe(0)
  expect(out).toMatch(/^digraph statechart \{\n[\s\S]*\n\}\n$/)
})
