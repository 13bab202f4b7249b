import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { idleClock } from '../../src/idle-clock.ts'

const longestMs = 2 ** 31 - 1

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the system clock', () => {
  it.each([10, longestMs, longestMs + 1, 3 * longestMs + 7])(
    'fires a timer of %d ms then, and not before',
    (delayMs) => {
      const run = vi.fn()
      systemClock.setTimeout(run, delayMs)
      vi.advanceTimersByTime(delayMs - 1)
      expect(run).not.toHaveBeenCalled()
      vi.advanceTimersByTime(1)
      expect(run).toHaveBeenCalledTimes(1)
      expect(vi.getTimerCount()).toBe(0)
    },
  )

  it.each([10, 3 * longestMs])('forgets a cleared timer of %d ms, on whichever leg it is', (delayMs) => {
    const run = vi.fn()
    const timer = systemClock.setTimeout(run, delayMs)
    vi.advanceTimersByTime(delayMs - 1)
    systemClock.clearTimeout(timer)
    expect(vi.getTimerCount()).toBe(0)
    vi.advanceTimersByTime(1)
    expect(run).not.toHaveBeenCalled()
  })

  it.each([10, 3 * longestMs])(
    'holds no process by an idle timer of %d ms, on whichever leg it is',
    (delayMs) => {
      using legs = vi.spyOn(globalThis, 'setTimeout')
      const run = vi.fn()
      idleClock(systemClock).setTimeout(run, delayMs)
      vi.advanceTimersByTime(delayMs - 1)
      expect(legs.mock.results.map(({ value }) => value.hasRef())).toEqual(
        Array.from({ length: Math.ceil(delayMs / longestMs) }, () => false),
      )
      vi.advanceTimersByTime(1)
      expect(run).toHaveBeenCalledTimes(1)
    },
  )

  it.each([0, -0.3, -longestMs])(
    'fires a timer of %d ms at once, and asks Node for no less than that',
    (delayMs) => {
      using asked = vi.spyOn(globalThis, 'setTimeout')
      const run = vi.fn()
      systemClock.setTimeout(run, delayMs)
      expect(asked).toHaveBeenCalledWith(run, 0)
      vi.advanceTimersByTime(0)
      expect(run).toHaveBeenCalledTimes(1)
    },
  )

  it('never fires an infinite timer, and can clear it', () => {
    const run = vi.fn()
    const timer = systemClock.setTimeout(run, Number.POSITIVE_INFINITY)
    vi.advanceTimersByTime(10 * longestMs)
    expect(run).not.toHaveBeenCalled()
    systemClock.clearTimeout(timer)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('clears nothing without complaint, and counts on', () => {
    systemClock.clearTimeout(undefined)
    const before = systemClock.now()
    vi.advanceTimersByTime(5)
    expect(systemClock.now() - before).toBe(5)
  })
})
