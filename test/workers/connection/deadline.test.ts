import { describe, expect, it } from 'vitest'
import { TestClock } from '../../../src/testing/index.ts'
import { Deadline } from '../../../workers/connection/deadline.ts'

function deadlineOf(timeoutMs: number, maxTotalTimeoutMs = 0) {
  const clock = new TestClock()
  const expired: string[] = []
  const deadline = new Deadline(clock, timeoutMs, maxTotalTimeoutMs, (option) =>
    expired.push(`${option}@${clock.now()}`),
  )
  return { clock, expired, deadline }
}

describe('a deadline', () => {
  it('expires exactly when its time is over, once', () => {
    const { clock, expired, deadline } = deadlineOf(100)
    deadline.start()
    clock.advance(99)
    expect(expired).toEqual([])
    clock.advance(1_000)
    expect(expired).toEqual(['timeoutMs@100'])
  })

  it('does not run before it is started, and is not restarted by a second start', () => {
    const { clock, expired, deadline } = deadlineOf(100)
    clock.advance(1_000)
    deadline.start()
    clock.advance(60)
    deadline.start()
    clock.advance(40)
    expect(expired).toEqual(['timeoutMs@1100'])
  })

  it('never expires without a budget', () => {
    const { clock, expired, deadline } = deadlineOf(0)
    deadline.start()
    deadline.renew()
    deadline.pause()
    deadline.resume()
    expect([clock.pending, expired]).toEqual([0, []])
  })

  it('stands still while a question is open, and goes on with what was left', () => {
    const { clock, expired, deadline } = deadlineOf(100)
    deadline.start()
    clock.advance(70)
    deadline.pause()
    clock.advance(10_000)
    deadline.resume()
    clock.advance(29)
    expect(expired).toEqual([])
    clock.advance(1)
    expect(expired).toEqual(['timeoutMs@10100'])
  })

  it('stands still until the last of several questions is settled', () => {
    const { clock, expired, deadline } = deadlineOf(100)
    deadline.start()
    deadline.pause()
    deadline.pause()
    deadline.resume()
    clock.advance(1_000)
    expect(expired).toEqual([])
    deadline.resume()
    clock.advance(100)
    expect(expired).toEqual(['timeoutMs@1100'])
  })

  it('that is started while a question is open waits for its end', () => {
    const { clock, expired, deadline } = deadlineOf(100)
    deadline.pause()
    deadline.start()
    clock.advance(1_000)
    deadline.resume()
    clock.advance(100)
    expect(expired).toEqual(['timeoutMs@1100'])
  })

  it('is renewed by a sign of life, also during a question', () => {
    const { clock, expired, deadline } = deadlineOf(100)
    deadline.start()
    clock.advance(90)
    deadline.renew()
    clock.advance(90)
    deadline.pause()
    deadline.renew()
    deadline.resume()
    clock.advance(99)
    expect(expired).toEqual([])
    clock.advance(1)
    expect(expired).toEqual(['timeoutMs@280'])
  })

  it('is capped in total, whatever renews or pauses it', () => {
    const { clock, expired, deadline } = deadlineOf(100, 250)
    deadline.start()
    clock.advance(90)
    deadline.renew()
    clock.advance(90)
    deadline.pause()
    clock.advance(69)
    expect(expired).toEqual([])
    clock.advance(1)
    expect(expired).toEqual(['maxTotalTimeoutMs@250'])
  })

  it('counts its total from the beginning, started or not', () => {
    const { clock, expired } = deadlineOf(100, 50)
    clock.advance(50)
    expect(expired).toEqual(['maxTotalTimeoutMs@50'])
  })

  it('is over once it was cleared: nothing starts it again, nothing is left', () => {
    const { clock, expired, deadline } = deadlineOf(100, 500)
    deadline.start()
    deadline.pause()
    deadline.clear()
    deadline.resume()
    deadline.start()
    deadline.renew()
    expect(clock.pending).toBe(0)
    clock.advance(1_000)
    expect(expired).toEqual([])
  })
})
