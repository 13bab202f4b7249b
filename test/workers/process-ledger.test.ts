import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { ProcessLedger } from '../../workers/process-ledger.ts'

const fixture = fileURLToPath(new URL('./fixtures/ledger-host.ts', import.meta.url))
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const
const listeners = () => [...signals, 'exit'].map((event) => process.listenerCount(event))

const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

function sleeper(): ChildProcess {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    detached: true,
    stdio: 'ignore',
  })
  started.push(child)
  return child
}

/** `over` resolves when host and server are gone: both hold the other end of a pipe. */
async function hostThat(behaviour: string): Promise<{ host: ChildProcess; over: Promise<unknown> }> {
  const host = spawn(process.execPath, ['--import', 'tsx', fixture, behaviour], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  })
  started.push(host)
  const held = host.stdio[3] as Readable
  const over = once(held.resume(), 'end')
  await once(host.stdout ?? host, 'data')
  return { host, over }
}

describe('the process ledger', () => {
  it('listens to the end of its process only while there is something to kill', () => {
    const before = listeners()
    const ledger = new ProcessLedger()
    ledger.add(4_000_001)
    ledger.add(4_000_002)
    expect(listeners()).toEqual(before.map((count) => count + 1))
    ledger.remove(4_000_001)
    ledger.remove(4_000_001)
    expect(ledger.size).toBe(1)
    ledger.remove(4_000_002)
    expect(listeners()).toEqual(before)
  })

  it('kills a group at once, and is done when nothing of it is left', async () => {
    const ledger = new ProcessLedger()
    const child = sleeper()
    ledger.add(child.pid ?? 0)
    const exit = once(child, 'exit')
    await ledger.kill(child.pid ?? 0)
    expect(await exit).toEqual([null, 'SIGKILL'])
    expect(ledger.size).toBe(0)
  })

  it('kills a group that is gone already without harm', async () => {
    const ledger = new ProcessLedger()
    ledger.add(4_000_003)
    await ledger.kill(4_000_003)
    expect(ledger.size).toBe(0)
  })
})

describe('the servers of a host', () => {
  it.each(signals)('die with it by %s, which still ends the host as it should', async (signal) => {
    const { host, over } = await hostThat('waits')
    host.kill(signal)
    expect(await once(host, 'exit')).toEqual([null, signal])
    await over
  })

  it.each([
    ['exits', 0],
    ['throws', 1],
  ])('die with it when it %s', async (behaviour, code) => {
    const { host, over } = await hostThat(behaviour)
    expect(await once(host, 'exit')).toEqual([code, null])
    await over
  })

  it('live on while it handles a signal itself, and die at its exit', async () => {
    const { host, over } = await hostThat('handles')
    host.kill('SIGTERM')
    expect(await once(host, 'exit')).toEqual([3, null])
    await over
  })
})
