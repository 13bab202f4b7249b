import { describe, expect, it } from 'vitest'
import { TestClock } from '../../../src/testing/index.ts'
import { Deadline } from '../../../workers/connection/deadline.ts'
import { ServerClock } from '../../../workers/connection/server-clock.ts'

function started() {
  const whole = new TestClock()
  return { whole, clock: new ServerClock(whole), fired: [] as string[] }
}

describe('the server’s time', () => {
  it('passes as all time does, until it is stopped; then nothing fires, and it goes on where it stood', () => {
    const { whole, clock, fired } = started()
    clock.setTimeout(() => fired.push(`early at ${clock.now()}`), 10)
    clock.setTimeout(() => fired.push(`late at ${clock.now()}`), 100)
    whole.advance(40)
    clock.stop()
    clock.stop()
    whole.advance(10_000)
    expect([clock.now(), fired]).toEqual([40, ['early at 10']])
    clock.goOn()
    whole.advance(59)
    expect(fired).toHaveLength(1)
    whole.advance(1)
    expect(fired).toEqual(['early at 10', 'late at 100'])
    expect(whole.pending).toBe(0)
  })

  it('has timers that are set and cleared while it stands still', () => {
    const { whole, clock, fired } = started()
    clock.stop()
    const cleared = clock.setTimeout(() => fired.push('cleared'), 5)
    clock.setTimeout(() => fired.push(`set at ${clock.now()}`), 5)
    whole.advance(1_000)
    clock.clearTimeout(cleared)
    clock.clearTimeout(undefined)
    expect(whole.pending).toBe(0)
    clock.goOn()
    clock.goOn()
    whole.advance(5)
    expect(fired).toEqual(['set at 5'])
  })

  it('is what a call’s budget counts, but for what caps it whatever happens', () => {
    const { whole, clock, fired } = started()
    const deadline = new Deadline(clock, 1_000, 5_000, (option) => fired.push(option))
    deadline.start()
    clock.stop()
    whole.advance(4_999)
    expect(fired).toEqual([])
    whole.advance(1)
    expect(fired).toEqual(['maxTotalTimeoutMs'])
    deadline.clear()
    expect(whole.pending).toBe(0)
  })
})
