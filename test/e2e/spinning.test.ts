import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TransportClosedError } from '../../src/index.ts'
import { connect, failureOf, fixture, textOf } from './harness.ts'
import { result, scripted, tools } from './scripted.ts'

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

/** A pattern that takes ages to find that this text does not match. */
const outputSchema = { type: 'string', pattern: '^(a+)+$' }
const evil = scripted({
  'tools/list': [[tools({ name: 'evil', outputSchema })]],
  'tools/call': [[result({ content: [], structuredContent: `${'a'.repeat(60)}!` })]],
})

/** Real time in which any thread that turns would have answered: another connection's whole life, twice. */
async function meanwhile(): Promise<void> {
  for (const _time of [1, 2]) {
    const { client } = connect({ ...fixture('echo'), hosting: 'inline' })
    await client.callTool('echo', { text: '' })
  }
}

describe('a thread that spins', () => {
  it('is ended by the watchdog, its servers too, and replaced', async () => {
    const { client, pids } = connect(evil)
    await client.listTools()
    const call = failureOf(client.callTool('evil'))
    await meanwhile()
    await vi.advanceTimersByTimeAsync(askingMs)
    await meanwhile()
    await vi.advanceTimersByTimeAsync(graceMs)
    expect(await call).toBeInstanceOf(TransportClosedError)
    await client.close()
    expect(pids()).toEqual([])
    const next = connect(fixture('echo'))
    expect(textOf(await next.client.callTool('echo', { text: 'a new thread' }))).toBe('a new thread')
  })
})

describe('a thread that turns', () => {
  it('is left alone, however often it is asked', async () => {
    const { client } = connect(fixture('echo'))
    await client.era()
    for (const _round of [1, 2, 3, 4, 5]) {
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
