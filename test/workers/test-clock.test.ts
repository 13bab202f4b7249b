import { describe, expect, it } from 'vitest'
import { TestClock } from '../../src/testing/index.ts'

function noting(clock: TestClock) {
  const fired: string[] = []
  return { fired, note: (name: string) => () => void fired.push(`${name}@${clock.now()}`) }
}

describe('a test clock', () => {
  it('stands still until it is moved', () => {
    const clock = new TestClock(100)
    const { fired, note } = noting(clock)
    clock.setTimeout(note('now'), 0)
    expect([clock.now(), clock.pending, clock.nextInMs]).toEqual([100, 1, 0])
    clock.advance(0)
    expect(fired).toEqual(['now@100'])
    expect([clock.pending, clock.nextInMs]).toEqual([0, undefined])
  })

  it('fires by deadline, then by who was first, each at its own time', () => {
    const clock = new TestClock()
    const { fired, note } = noting(clock)
    clock.setTimeout(note('late'), 20)
    clock.setTimeout(note('first'), 10)
    clock.setTimeout(note('second'), 10)
    clock.setTimeout(note('never'), 31)
    clock.advance(30)
    expect(fired).toEqual(['first@10', 'second@10', 'late@20'])
    expect([clock.now(), clock.nextInMs]).toEqual([30, 1])
  })

  it('fires what a fired timer sets, if it is due', () => {
    const clock = new TestClock()
    const { fired, note } = noting(clock)
    clock.setTimeout(() => clock.setTimeout(() => clock.setTimeout(note('third'), 10), 10), 10)
    clock.advance(25)
    expect(fired).toEqual([])
    clock.advance(5)
    expect(fired).toEqual(['third@30'])
  })

  it('forgets what was cleared, also by a timer of the same deadline', () => {
    const clock = new TestClock()
    const { fired, note } = noting(clock)
    clock.setTimeout(() => clock.clearTimeout(victim), 10)
    const victim = clock.setTimeout(note('victim'), 10)
    clock.advance(10)
    clock.clearTimeout(victim)
    clock.clearTimeout(undefined)
    expect([fired, clock.pending]).toEqual([[], 0])
  })

  it('takes a negative delay for none, and never fires an infinite one', () => {
    const clock = new TestClock()
    const { fired, note } = noting(clock)
    clock.setTimeout(note('negative'), -5)
    clock.setTimeout(note('infinite'), Number.POSITIVE_INFINITY)
    clock.advance(1e12)
    expect(fired).toEqual(['negative@0'])
    expect([clock.pending, clock.nextInMs]).toEqual([1, undefined])
  })

  it('passes on what a timer throws, and goes on after it', () => {
    const clock = new TestClock()
    const { fired, note } = noting(clock)
    clock.setTimeout(() => {
      throw new Error('broken')
    }, 10)
    clock.setTimeout(note('next'), 10)
    expect(() => clock.advance(10)).toThrow('broken')
    clock.advance(0)
    expect(fired).toEqual(['next@10'])
  })

  it('refuses to go back, to go nowhere near, and to go round in circles', () => {
    const clock = new TestClock()
    expect(() => clock.advance(-1)).toThrow(RangeError)
    expect(() => clock.advance(Number.NaN)).toThrow(RangeError)
    expect(() => clock.advance(Number.POSITIVE_INFINITY)).toThrow(RangeError)
    const again = () => void clock.setTimeout(again, 0)
    again()
    expect(() => clock.advance(1)).toThrow('without end')
  })
})

describe('time that passes with promises', () => {
  it('lets their chains run before, between and after the timers', async () => {
    const clock = new TestClock()
    const { fired, note } = noting(clock)
    const onTestClock = (ms: number) => new Promise<void>((wake) => void clock.setTimeout(wake, ms))
    const run = async () => {
      await Promise.resolve()
      for (let step = 0; step < 3; step++) await onTestClock(10)
      note('woke')()
    }
    const done = run()
    await clock.advanceAsync(29)
    expect(fired).toEqual([])
    await clock.advanceAsync(1)
    expect(fired).toEqual(['woke@30'])
    await done
  })

  it('settles chains of any length while it stands still', async () => {
    const clock = new TestClock()
    let steps = 0
    const run = async () => {
      for (; steps < 1_000; steps++) await Promise.resolve()
    }
    void run()
    await clock.settle()
    expect([steps, clock.now()]).toEqual([1_000, 0])
  })

  it('runs what a timer started before the next timer of the same deadline', async () => {
    const clock = new TestClock()
    const { fired, note } = noting(clock)
    clock.setTimeout(() => void Promise.resolve().then(note('promise')), 10)
    clock.setTimeout(note('timer'), 10)
    await clock.advanceAsync(10)
    expect(fired).toEqual(['promise@10', 'timer@10'])
  })
})
