import { expect, it, describe as suite } from 'vitest'
import { type ChartState, statesOf } from '../../src/diagram/chart.ts'
import { describe } from '../../src/diagram/describe.ts'
import { kilnMachine } from './kiln-machine.ts'

const chart = describe(kilnMachine)

function state(id: string): ChartState {
  const found = statesOf(chart.root).find((candidate) => candidate.id === id)
  if (found === undefined) throw new Error(`no state ${id}`)
  return found
}

/** A state's transitions as `event [guard] -> targets / actions`. */
function transitions(id: string): string[] {
  return state(id).transitions.map(({ event, guard, targets, actions }) =>
    [event, guard && `[${guard}]`, '->', ...targets, actions.length > 0 && `/ ${actions}`]
      .filter(Boolean)
      .join(' '),
  )
}

suite('describe', () => {
  it('lists every state below its parent with key, id and kind', () => {
    expect(statesOf(chart.root).map(({ id, type }) => `${id} ${type}`)).toEqual([
      'kiln compound',
      'kiln.cold atomic',
      'kiln.lighting atomic',
      'kiln.firing parallel',
      'kiln.firing.heat compound',
      'kiln.firing.heat.rising atomic',
      'kiln.firing.heat.held atomic',
      'kiln.firing.heat.burnt final',
      'damper.main compound',
      'kiln.firing.air.shut atomic',
      'kiln.firing.air.open atomic',
      'kiln.firing.atWhim atomic',
      'kiln.firing.memory history',
      'kiln.paused atomic',
      'kiln.off final',
    ])
    expect(state('damper.main')).toMatchObject({ key: 'air', path: ['kiln', 'firing', 'air'] })
    expect(state('kiln.cold')).toMatchObject({ description: 'Nothing burns.', tags: ['safe'] })
  })

  it('names the initial child of compound states only', () => {
    expect(state('kiln').initial).toBe('kiln.cold')
    expect(state('damper.main').initial).toBe('kiln.firing.air.shut')
    expect(state('kiln.firing')).not.toHaveProperty('initial')
    expect(state('kiln.cold')).not.toHaveProperty('initial')
  })

  it('names entry and exit actions without the timers xstate adds for delays', () => {
    expect(state('kiln.firing')).toMatchObject({ entry: ['lock', 'assign'], exit: ['unlock'] })
    expect(state('kiln.cold')).toMatchObject({ entry: [], exit: [] })
  })

  it('names invoked actors by source', () => {
    expect(state('kiln.lighting').invokes).toEqual([{ id: '0.kiln.lighting', src: 'ignite' }])
    expect(state('damper.main').invokes).toEqual([{ id: 'eye', src: 'watch' }])
  })

  it('shows eventless, guarded, targetless, forbidden and delayed transitions', () => {
    expect(transitions('kiln.cold')).toEqual([
      'always [hot and not full] -> kiln.firing',
      'START [full] -> kiln.lighting',
      'START [atLeast] -> kiln.firing.heat',
      'START -> / record,raise(RETRY)',
      'KNOCK ->',
      'OPEN [full] -> kiln.off / record',
      'OPEN -> kiln.off',
      'after 500 ms -> kiln.off',
    ])
  })

  it('shows what comes of an invoked actor as done, error and snapshot of its source', () => {
    expect(transitions('kiln.lighting')).toEqual([
      'done(ignite) [hot] -> kiln.firing',
      'done(ignite) -> kiln.lighting',
      'error(ignite) [full] -> kiln.off',
      'error(ignite) -> kiln.cold',
      'after soak -> kiln.cold',
    ])
    expect(transitions('damper.main')).toEqual(['snapshot(watch) -> / record'])
  })

  it('shows wildcards, and the end of a state’s own children as done', () => {
    expect(transitions('kiln.firing')).toEqual([
      '* -> kiln.paused',
      'LATER -> kiln.firing.atWhim',
      'done -> kiln.off',
    ])
    expect(transitions('kiln')).toContain('sensor.* -> / record')
  })

  it('tells a transition that starts its state over from one that stays', () => {
    expect(state('kiln.lighting').transitions.map(({ reenter }) => reenter)).toEqual([
      false,
      true,
      false,
      false,
      false,
    ])
  })

  it('spells out guards that ask for a state, and calls a guard written in place inline', () => {
    expect(transitions('kiln.firing.air.shut')).toEqual([
      'VENT [in firing.heat.held] -> kiln.firing.air.open',
    ])
    expect(transitions('kiln.firing.heat.rising')).toEqual(['PEAK [inline] -> kiln.firing.heat.held'])
  })

  it('keeps the depth of a history state and where it leads by default', () => {
    expect(state('kiln.firing.memory').history).toBe('deep')
    expect(transitions('kiln.firing.memory')).toEqual(['default -> kiln.firing.heat'])
  })

  it('gives plain data that survives JSON', () => {
    expect(JSON.parse(JSON.stringify(chart))).toEqual(chart)
  })
})
