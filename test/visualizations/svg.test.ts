import { expect, it, describe as suite } from 'vitest'
import { machines } from '../../machines/index.ts'
import { statesOf } from '../../src/diagram/chart.ts'
import { describe } from '../../src/diagram/describe.ts'
import { toSvg } from '../../visualizations/svg.ts'
import { kilnMachine } from './kiln-machine.ts'

const samples = Object.entries({ kiln: kilnMachine, ...machines })

suite('toSvg', () => {
  it.each(samples)('gives every state of %s an element with the state’s own id', async (_name, machine) => {
    const chart = describe(machine)
    const ids = idsOf(await toSvg(chart))
    for (const { id } of statesOf(chart.root)) expect(ids).toContain(id)
  })

  it.each(samples)('uses no id twice in %s', async (_name, machine) => {
    const ids = idsOf(await toSvg(describe(machine)))
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('gives the same bytes every time', async () => {
    expect(await toSvg(describe(kilnMachine))).toBe(await toSvg(describe(kilnMachine)))
  })

  it('stands on a white ground of its own and names what it shows', async () => {
    const svg = await toSvg(describe(kilnMachine))
    expect(svg).toMatch(/^<svg role="img" aria-label="The kiln statechart"/)
    expect(svg).toMatch(/<g id="kiln" class="cluster state">\s*<path fill="white"/)
  })

  it('draws a label once however many transitions share the arrow', async () => {
    const svg = await toSvg(describe(kilnMachine))
    expect(svg.match(/>OPEN</g)).toHaveLength(1)
    expect(svg.match(/>STOP</g)).toHaveLength(1)
  })

  it('shows names that are markup as text', async () => {
    const root = { ...describe(kilnMachine).root, key: '<b>&"' }
    const svg = await toSvg({ id: '"<', root })
    expect(svg).toContain('>&lt;b&gt;&amp;&quot;</text>')
    expect(svg).toContain('aria-label="The &quot;&lt; statechart"')
  })
})

function idsOf(svg: string): string[] {
  return [...svg.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id ?? '')
}
