import { describe, expect, it } from 'vitest'
import { TestClock } from '../../src/testing/index.ts'
import { Watchdog } from '../../workers/watchdog.ts'
import { deferred } from '../model/deferred.ts'

function watchdogOf() {
  const clock = new TestClock()
  const terminated: string[] = []
  const watchdog = new Watchdog({
    clock,
    everyMs: 1_000,
    graceMs: 3_000,
    terminate: (threadId) => terminated.push(`${threadId}@${clock.now()}`),
  })
  return { clock, terminated, watchdog }
}

const never = () => new Promise<void>(() => {})

describe('the watchdog', () => {
  it('asks as long as it is answered, and harms nobody', async () => {
    const { clock, terminated, watchdog } = watchdogOf()
    let pings = 0
    watchdog.watch(1, async () => {
      pings += 1
    })
    await clock.advanceAsync(10_000)
    expect([pings, terminated]).toEqual([10, []])
  })

  it('ends a thread that does not answer, after its grace and a second look', async () => {
    const { clock, terminated, watchdog } = watchdogOf()
    watchdog.watch(1, never)
    watchdog.watch(2, async () => {})
    await clock.advanceAsync(4_249)
    expect(terminated).toEqual([])
    await clock.advanceAsync(1)
    expect(terminated).toEqual(['1@4250'])
  })

  it('lets an answer that waited in line count', async () => {
    const { clock, terminated, watchdog } = watchdogOf()
    const answered = deferred<void>()
    watchdog.watch(1, () => answered.promise)
    await clock.advanceAsync(4_000)
    answered.resolve()
    await clock.advanceAsync(1_000)
    expect(terminated).toEqual([])
  })

  it('takes an error for an answer: the thread turns', async () => {
    const { clock, terminated, watchdog } = watchdogOf()
    watchdog.watch(1, () => Promise.reject(new Error('closed')))
    await clock.advanceAsync(20_000)
    expect(terminated).toEqual([])
  })

  it('asks one connection of a thread for all of them', async () => {
    const { clock, watchdog } = watchdogOf()
    const asked: string[] = []
    const ping = (name: string) => async () => void asked.push(name)
    const unwatchFirst = watchdog.watch(1, ping('first'))
    watchdog.watch(1, ping('second'))
    await clock.advanceAsync(1_000)
    unwatchFirst()
    await clock.advanceAsync(1_000)
    expect(asked).toEqual(['first', 'second'])
  })

  it('blames no thread for a connection that ended while it was asked', async () => {
    const { clock, terminated, watchdog } = watchdogOf()
    const unwatch = watchdog.watch(1, never)
    await clock.advanceAsync(1_000)
    unwatch()
    expect(clock.pending).toBe(0)
    await clock.advanceAsync(20_000)
    expect(terminated).toEqual([])
  })

  it('sleeps while nothing is watched, and wakes again', async () => {
    const { clock, watchdog } = watchdogOf()
    let pings = 0
    const ping = async () => {
      pings += 1
    }
    watchdog.watch(1, ping)()
    expect(clock.pending).toBe(0)
    const unwatch = watchdog.watch(1, ping)
    await clock.advanceAsync(1_000)
    unwatch()
    unwatch()
    expect([pings, clock.pending]).toEqual([1, 0])
  })
})
