import { describe, expect, it } from 'vitest'
import { KeepAlives } from '../../../src/server/http/keep-alives.ts'
import { TestClock } from '../../../src/testing/index.ts'

function watching() {
  const clock = new TestClock()
  const keepAlives = new KeepAlives(100, clock)
  const told: string[] = []
  const quiet = (name: string, stillHere = () => {}) => ({
    stillHere: () => {
      told.push(`${name} ${clock.now()}`)
      stillHere()
    },
  })
  return { clock, keepAlives, told, quiet }
}

describe('signs of life', () => {
  it('are due after the same time for each, again and again', () => {
    const { clock, keepAlives, told, quiet } = watching()
    keepAlives.watch(quiet('a'))
    clock.advance(40)
    keepAlives.watch(quiet('b'))
    clock.advance(59)
    expect(told).toEqual([])
    clock.advance(201)
    expect(told).toEqual(['a 100', 'b 140', 'a 200', 'b 240', 'a 300'])
  })

  it('take one timer for all, and none for nobody', () => {
    const { clock, keepAlives, told, quiet } = watching()
    const all = Array.from({ length: 1000 }, (_, index) => quiet(`${index}`))
    for (const one of all) keepAlives.watch(one)
    expect(clock.pending).toBe(1)
    for (const one of all) keepAlives.forget(one)
    clock.advance(100)
    expect(clock.pending).toBe(0)
    expect(told).toEqual([])
    keepAlives.watch(quiet('late'))
    clock.advance(100)
    expect(told).toEqual(['late 200'])
  })

  it('are due in full to what comes while another is watched', () => {
    const { clock, keepAlives, told, quiet } = watching()
    const first = quiet('first')
    keepAlives.watch(first)
    clock.advance(99)
    keepAlives.watch(quiet('second'))
    keepAlives.forget(first)
    clock.advance(99)
    expect(told).toEqual([])
    clock.advance(1)
    expect(told).toEqual(['second 199'])
  })

  it.each(['itself', 'another'])('end where one of them ends %s', (whom) => {
    const { clock, keepAlives, told, quiet } = watching()
    const ending = { stillHere: () => {} }
    const first = quiet('first', () => keepAlives.forget(whom === 'itself' ? first : ending))
    keepAlives.watch(first)
    keepAlives.watch(ending)
    clock.advance(250)
    expect(told).toEqual(whom === 'itself' ? ['first 100'] : ['first 100', 'first 200'])
    keepAlives.forget(first)
    keepAlives.forget(ending)
    clock.advance(100)
    expect(clock.pending).toBe(0)
  })
})
