import { instance } from '@viz-js/viz'
import { expect, it, describe as suite } from 'vitest'
import { machines } from '../../machines/index.ts'
import { describe } from '../../src/diagram/describe.ts'
import { toDot } from '../../src/diagram/dot.ts'
import { kilnMachine } from './kiln-machine.ts'

const samples = Object.entries({ kiln: kilnMachine, ...machines })
const dot = toDot(describe(kilnMachine))

suite('toDot', () => {
  it.each(samples)('gives text that Graphviz takes for %s without a warning', async (_name, machine) => {
    const viz = await instance()
    for (const direction of ['TB', 'LR'] as const) {
      expect(viz.render(toDot(describe(machine), { direction })).errors).toEqual([])
    }
  })

  it('reads from top to bottom unless told otherwise', () => {
    expect(dot).toContain('rankdir="TB"')
    expect(toDot(describe(kilnMachine), { direction: 'LR' })).toContain('rankdir="LR"')
  })

  it('draws a compound state as a cluster, a final one doubled and a history one as a circle', () => {
    expect(dot).toContain('subgraph "cluster_kiln.firing" {')
    expect(dot).toMatch(/"kiln\.off" \[id="kiln\.off", .*peripheries="2"/)
    expect(dot).toMatch(/"kiln\.firing\.memory" \[.*shape="circle".*label="H\*"/)
  })

  it('marks the regions of a parallel state by dashes', () => {
    expect(dot).toMatch(/graph \[id="damper\.main", .*style="rounded,filled,dashed"/)
  })

  it('ends an arrow to a compound state at its border', () => {
    expect(dot).toMatch(/"kiln\.cold--kiln\.firing" -> .*lhead="cluster_kiln\.firing"/)
    expect(dot).toMatch(/ -> "kiln\.firing--kiln\.off" \[.*ltail="cluster_kiln\.firing"/)
  })

  it('writes an arrow back to an earlier state the other way round, so that life runs down the page', () => {
    expect(dot).toMatch(/"kiln\.cold" -> "kiln\.lighting--kiln\.cold" \[.*dir="back"/)
  })
})
