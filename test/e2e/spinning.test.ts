import type { Piscina } from 'piscina'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { TransportClosedError } from '../../src/index.ts'
import { connectionPool } from '../../workers/pool.ts'
import { connect, failureOf, fixture, pathOf, textOf } from './harness.ts'

// Only this thread's timers stand still: the watchdog's. Threads and servers go on.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** How long the watchdog waits before it asks, and longer than it waits for the answer. */
const askingMs = 5_000
const graceMs = 16_000

/** Lets no thread of the pool turn again, until the test ends. */
function spinAll(): void {
  const released = new Int32Array(new SharedArrayBuffer(4))
  onTestFinished(() => void Atomics.store(released, 0, 1))
  const pool: Piscina = connectionPool()
  // More than threads, so that each gets one, whatever it carries already.
  for (const _task of [...pool.threads, ...pool.threads]) {
    const filename = pathOf('../fixtures/threads/spin.ts')
    // The watchdog ends some of them.
    pool.run(released, { filename }).catch(() => {})
  }
}

/** Real time in which any thread that turns would have answered: another connection's start. */
async function meanwhile(): Promise<void> {
  const { client } = connect({ ...fixture('echo'), hosting: 'inline' })
  await client.callTool('echo', { text: '' })
}

describe('a thread that spins', () => {
  it('is ended by the watchdog, its servers too, and replaced', async () => {
    const { client, pids } = connect(fixture('echo'))
    await client.era()
    spinAll()
    const call = failureOf(client.callTool('echo', { text: 'nobody hears' }))
    await meanwhile()
    // Where there is one thread only, this one never hears its hello.
    const unlucky = connect(fixture('echo'))
    await vi.advanceTimersByTimeAsync(askingMs)
    await meanwhile()
    await vi.advanceTimersByTimeAsync(graceMs)
    // Time goes on: the end of killed processes is looked for again and again.
    vi.setTimerTickMode('interval', 10)
    expect(await call).toBeInstanceOf(TransportClosedError)
    await Promise.all([client.close(), unlucky.client.close()])
    expect(pids()).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
    const next = connect(fixture('echo'))
    expect(textOf(await next.client.callTool('echo', { text: 'a new thread' }))).toBe('a new thread')
  })
})

describe('a thread that turns', () => {
  it('is left alone, however often it is asked', async () => {
    const { client } = connect(fixture('echo'))
    await client.era()
    for (const _round of [1, 2, 3, 4]) {
      await vi.advanceTimersByTimeAsync(askingMs)
      await meanwhile()
    }
    expect(textOf(await client.callTool('echo', { text: 'still here' }))).toBe('still here')
  })

  it('is not blamed for the time in which the host itself was blocked', async () => {
    const { client } = connect(fixture('echo'))
    await client.era()
    // Both timers are due before the event loop turns, and reads the answer.
    vi.advanceTimersByTime(askingMs)
    vi.advanceTimersByTime(15_000)
    await meanwhile()
    vi.advanceTimersByTime(1_000)
    expect(textOf(await client.callTool('echo', { text: 'still here' }))).toBe('still here')
  })

  it('keeps no timer of the host once its connections are closed', async () => {
    const { client } = connect(fixture('echo'))
    await client.era()
    vi.advanceTimersByTime(askingMs)
    await client.close()
    expect(vi.getTimerCount()).toBe(0)
  })
})
