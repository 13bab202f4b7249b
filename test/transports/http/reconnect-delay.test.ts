import { describe, expect, it } from 'vitest'
import { ReconnectDelay } from '../../../src/transports/http/reconnect-delay.ts'

describe('the pause before a stream is opened again', () => {
  it('is what the server asks for, to the millisecond', () => {
    const delay = new ReconnectDelay(true)
    expect([delay.next(500), delay.next(100), delay.next(120_000)]).toEqual([500, 100, 120_000])
  })

  it.each([0, 1, 99])(
    'is never shorter than a tenth of a second, not even where %d ms are asked for',
    (retryMs) => {
      for (const isPatient of [true, false]) {
        const delay = new ReconnectDelay(isPatient)
        for (let round = 0; round < 20; round++) {
          delay.opened()
          delay.ended(true, 0)
          expect(delay.next(retryMs)).toBe(100)
        }
      }
    },
  )

  it('doubles with each failure in a row up to half a minute, but is never shorter than asked for', () => {
    const delay = new ReconnectDelay(true)
    const pauses = Array.from({ length: 7 }, () => {
      delay.failed()
      return delay.next(1000)
    })
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
    expect(delay.next(60_000)).toBe(60_000)
  })

  it('is short again after a success', () => {
    const delay = new ReconnectDelay(true)
    delay.failed()
    delay.failed()
    delay.opened()
    expect(delay.failures).toBe(0)
    expect(delay.next(1000)).toBe(1000)
  })

  it('does not grow for empty streams that are asked for an answer', () => {
    const delay = new ReconnectDelay(true)
    for (let round = 0; round < 20; round++) delay.ended(false, 0)
    expect(delay.next(500)).toBe(500)
    expect(delay.next(0)).toBe(100)
  })

  it('grows for empty, short streams on which nothing is due', () => {
    const delay = new ReconnectDelay(false)
    for (let round = 0; round < 3; round++) delay.ended(false, 0)
    expect(delay.next(1000)).toBe(4000)
    delay.ended(false, 60_000)
    expect(delay.next(1000)).toBe(1000)
    delay.ended(false, 0)
    delay.ended(true, 0)
    expect(delay.next(1000)).toBe(1000)
  })
})
