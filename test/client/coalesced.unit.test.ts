import { describe, expect, it } from 'vitest'
import { Coalesced } from '../../src/client/coalesced.ts'
import { TestClock } from '../../src/testing/index.ts'

function coalescing(windowMs?: number) {
  const clock = new TestClock()
  const firedAtMs: number[] = []
  return { clock, firedAtMs, event: new Coalesced(clock, () => firedAtMs.push(clock.now()), windowMs) }
}

describe('many events made one', () => {
  it('are told once, a while after the first, and again for what comes later', () => {
    const { clock, firedAtMs, event } = coalescing()
    for (const _again of [1, 2, 3]) {
      event.trigger()
      clock.advance(20)
    }
    expect(firedAtMs).toEqual([50])
    event.trigger()
    clock.advance(100)
    expect(firedAtMs).toEqual([50, 110])
    expect(clock.pending).toBe(0)
  })

  it('wait as long as they are told', () => {
    const { clock, firedAtMs, event } = coalescing(5)
    event.trigger()
    clock.advance(5)
    expect(firedAtMs).toEqual([5])
  })

  it('are not told once stopped', () => {
    const { clock, firedAtMs, event } = coalescing()
    event.trigger()
    event.stop()
    clock.advance(100)
    expect([firedAtMs, clock.pending]).toEqual([[], 0])
  })
})
