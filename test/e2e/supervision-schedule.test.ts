import { describe, expect, it } from 'vitest'
import { TestClock } from '../../src/testing/index.ts'
import { troupe } from '../providers/registry/harness.ts'
import { namesOf } from '../providers/registry/provider.ts'
import { fixture } from './harness.ts'

const usual = { initialMs: 250, factor: 2, maxMs: 30_000, jitter: 0.2 }

describe('real processes under a clock that stands still', () => {
  it.each([
    ['in full', 0, [250, 500, 1_000, 2_000, 4_000]],
    ['less a fifth', 1, [200, 400, 800, 1_600, 3_200]],
  ])('are started again after waits %s, until they are given up', async (_, chance, waitsMs) => {
    const clock = new TestClock()
    const { add, reached } = troupe({ clock, random: () => chance, backoff: usual })
    add(fixture('bare-legacy', '--die-on-initialize'), { prefix: 'm', era: 'legacy' })
    // It was told that there is a new entry.
    clock.advance(1_000)
    for (const [index, waitMs] of waitsMs.entries()) {
      await reached('m', 'backingOff', index + 1)
      expect(clock.nextInMs).toBe(waitMs)
      clock.advance(waitMs - 1)
      expect(clock.nextInMs).toBe(1)
      clock.advance(1)
    }
    await reached('m', 'exhausted', 6)
    expect(clock.pending).toBe(0)
  })

  it('that crashed long ago have all their chances again', async () => {
    const clock = new TestClock()
    const { add, registry, kill, reached } = troupe({
      clock,
      random: () => 0,
      backoff: usual,
      maxRestarts: 1,
    })
    add(fixture('echo'), { prefix: 'a' })
    for (const generation of [1, 2, 3]) {
      await reached('a', 'up', generation)
      clock.advance(60_000)
      kill('a')
      await reached('a', 'backingOff', generation)
      clock.advance(250)
    }
    await reached('a', 'up', 4)
    expect(registry.providers).toMatchObject([{ state: 'up', restarts: 3 }])
  })

  it('are waited for by calls exactly as long as downWaitMs', async () => {
    const clock = new TestClock()
    const { add, registry, ask, kill, reached } = troupe({
      clock,
      backoff: { initialMs: 1_000_000, maxMs: 1e9 },
    })
    add(fixture('echo'), { prefix: 'a', downWaitMs: 10_000 })
    await namesOf(registry)
    kill('a')
    await reached('a', 'backingOff', 1)
    let isAnswered = false
    const call = ask('a_echo').finally(() => {
      isAnswered = true
    })
    await clock.advanceAsync(9_999)
    expect(isAnswered).toBe(false)
    await clock.advanceAsync(1)
    expect(await call).toMatch(/did not come up within 10000 ms/)
  })

  it('stop for want of calls exactly after idleStopMs', async () => {
    const clock = new TestClock()
    const { add, ask, registry, reached } = troupe({ clock })
    add(fixture('echo'), { prefix: 'a', idleStopMs: 5_000 })
    expect(await ask('a_echo', { text: 'hi' })).toBe('hi')
    clock.advance(4_999)
    expect(registry.providers).toMatchObject([{ state: 'up' }])
    clock.advance(1)
    await reached('a', 'stopped', 1)
  })
})
