import { expect, it, describe as suite } from 'vitest'
import { createMachine } from 'xstate'
import { describe } from '../../src/diagram/describe.ts'
import { toMermaid } from '../../src/diagram/mermaid.ts'
import { kilnMachine } from './kiln-machine.ts'

const text = toMermaid(describe(kilnMachine))
const lines = text.split('\n').map((line) => line.trim())

suite('toMermaid', () => {
  it('opens a state diagram and closes every composite state it opens', () => {
    expect(lines[0]).toBe('stateDiagram-v2')
    const composites = lines.filter((line) => /^state ".*" as \w+ \{$/.test(line))
    expect(composites).toHaveLength(4)
    expect(lines.filter((line) => line === '}')).toHaveLength(composites.length)
  })

  it('holds nothing but states, arrows and braces', () => {
    const known = /^(state "[^"]+" as \w+( \{)?|(\[\*\]|\w+) --> (\[\*\]|\w+)( : [^:;"{}]+)?|\}|)$/
    expect(lines.slice(1).filter((line) => !known.test(line))).toEqual([])
  })

  it('declares every state it draws an arrow to', () => {
    const declared = lines.flatMap((line) => /^state ".*" as (\w+)/.exec(line)?.[1] ?? [])
    const drawn = lines.flatMap((line) => /^(\S+) --> (\S+)/.exec(line)?.slice(1) ?? [])
    expect(new Set(declared).size).toBe(declared.length)
    expect(drawn.filter((name) => name !== '[*]' && !declared.includes(name))).toEqual([])
  })

  it('says in a state what it runs and does while it is active', () => {
    expect(lines).toContain('state "lighting<br>do / ignite" as kiln_lighting')
    expect(lines).toContain(
      'state "firing (parallel)<br>entry / lock, assign<br>exit / unlock" as kiln_firing {',
    )
    expect(lines).toContain(
      'state "cold<br>START [else] / record, raise(RETRY)<br>KNOCK is ignored" as kiln_cold',
    )
    expect(lines).toContain('state "H*" as kiln_firing_memory')
  })

  it('merges the transitions between two states into one arrow', () => {
    expect(lines).toContain('kiln_lighting --> kiln_cold : error(ignite) [else]<br>after soak')
  })

  it('leaves out guards that do not choose where to go', () => {
    expect(lines).toContain('kiln_cold --> kiln_off : OPEN<br>after 500 ms')
  })

  it('draws what holds in all of a state once, from any state', () => {
    expect(lines.filter((line) => line.includes('STOP'))).toEqual(['kiln__any --> kiln_off : STOP'])
    expect(lines).toContain('kiln_firing__any --> kiln_firing_atWhim : LATER')
  })

  it('ends an arrow to a state around it where entering that leads', () => {
    expect(lines).toContain('kiln_firing_air_open --> kiln_firing_air_shut : VENT')
  })

  it('keeps apart ids that differ only in what Mermaid does not take, and avoids its commands', () => {
    const machine = createMachine({
      id: 'state',
      initial: 'a-b',
      states: { 'a-b': { on: { 'go:now;': 'a_b' } }, a_b: {} },
    })
    const drawn = toMermaid(describe(machine))
    expect(drawn).toContain('state "a-b" as s_state_a_b\n')
    expect(drawn).toContain('s_state_a_b --> s_state_a_b_2 : go#58;now#59;')
  })
})
