import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { WaitingRoom } from '../../../src/providers/registry/waiting-room.ts'
import { TestClock } from '../../../src/testing/index.ts'

const late = () => new Error('too late')

function room() {
  const clock = new TestClock()
  return { clock, waiting: new WaitingRoom<string>(clock) }
}

describe('a waiting room', () => {
  it('admits all who wait, and leaves no timer and no listener', async () => {
    const { clock, waiting } = room()
    const { signal } = new AbortController()
    const all = [waiting.wait(1_000, late, signal), waiting.wait(2_000, late, signal)]
    waiting.admitAll('come in')
    expect(await Promise.all(all)).toEqual(['come in', 'come in'])
    expect(clock.pending).toBe(0)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('refuses each who waited too long', async () => {
    const { clock, waiting } = room()
    const [first, second] = [waiting.wait(1_000, late, undefined), waiting.wait(1_001, late, undefined)]
    const refused = expect(first).rejects.toThrow('too late')
    clock.advance(1_000)
    await refused
    waiting.admitAll('come in')
    expect(await second).toBe('come in')
  })

  it('lets go of whoever aborts, or had aborted', async () => {
    const { clock, waiting } = room()
    const abort = new AbortController()
    const gone = expect(waiting.wait(1_000, late, abort.signal)).rejects.toMatchObject({
      name: 'CancelledError',
      cause: 'bored',
    })
    abort.abort('bored')
    await gone
    await expect(waiting.wait(1_000, late, abort.signal)).rejects.toMatchObject({ name: 'CancelledError' })
    expect(clock.pending).toBe(0)
  })

  it('refuses all when there is no hope', async () => {
    const { waiting } = room()
    const refused = expect(waiting.wait(1_000, late, undefined)).rejects.toThrow('given up')
    waiting.refuseAll(new Error('given up'))
    await refused
  })
})
