import { describe, expect, it } from 'vitest'
import { ConfigError, LeaseTable } from '../../../src/index.ts'
import { TestClock } from '../../../src/testing/index.ts'
import { does, workspace } from './harness.ts'

function fail(): never {
  throw new Error('a fault of the host')
}

function reject(): Promise<never> {
  return Promise.reject(new Error('a fault of the host'))
}

describe('a hook of an agent that fails', () => {
  it.each([
    ['', () => {}],
    [', also where that throws', fail],
    [', also where that rejects', reject],
  ])('costs nobody a lock, and is told%s', async (_, tell) => {
    const { agent, clock } = workspace()
    await does(agent('builder'), 'lock_acquire', { paths: ['x'] })
    const warnings: string[] = []
    const onWarn = (message: string) => {
      warnings.push(message)
      return tell()
    }
    const hooks = { onWaitBegin: fail, onWaitEnd: reject, cancelled: fail, onWarn }
    const waiting = does(agent('a', hooks), 'lock_acquire', { paths: ['x'] })
    await clock.advanceAsync(5_000)
    await does(agent('builder'), 'lock_release')
    expect(await waiting).toMatchObject({ is_error: false })
    await clock.settle()
    // `cancelled` was asked six times.
    expect(warnings).toEqual([
      'onWaitBegin threw: a fault of the host',
      'cancelled threw: a fault of the host; the wait goes on',
      'onWaitEnd threw: a fault of the host',
    ])
  })

  it.each([
    ['throws', fail],
    ['rejects', reject],
  ])(
    'to say how many are at work makes every change need a lock, and is told: it %s',
    async (_, concurrent) => {
      const { agent } = workspace()
      const warnings: string[] = []
      const a = agent('a', { concurrent, onWarn: (message) => void warnings.push(message) })
      expect((await does(a, 'fs_write', { path: 'x' })).content).toContain('you hold no lock on /w/x')
      expect(warnings).toEqual([
        'concurrent threw: a fault of the host; every change needs a lock as long as nobody knows',
      ])
    },
  )
})

describe('a callback of a wait that fails', () => {
  it.each<[string, () => void]>([
    ['throws', fail],
    ['rejects', reject],
  ])('breaks no table, and is told: it %s', async (_, onWait) => {
    const warnings: string[] = []
    const table = new LeaseTable({ clock: new TestClock(), onWarn: (message) => void warnings.push(message) })
    await table.acquire({ holder: 'a', paths: ['/w/x'] })
    const b = table.acquire({ holder: 'b', paths: ['/w/x'], waitMs: 10_000 }, { onWait })
    await table.release({ holder: 'a' })
    expect(await b).toMatchObject({ kind: 'granted' })
    expect(warnings).toEqual(['onWait threw: a fault of the host'])
  })

  it('is told where it was given, at the far end of a port', async () => {
    const table = new LeaseTable()
    await table.acquire({ holder: 'near', paths: ['/w/x'] })
    const warnings: string[] = []
    const onWarn = (message: string) => void warnings.push(message)
    const far = await LeaseTable.connect(table.port(), { onWarn })
    const onWait = () => {
      void far.release({ holder: 'near' })
      fail()
    }
    const request = { holder: 'far', paths: ['/w/x'], waitMs: 60_000 }
    expect(await far.acquire(request, { onWait })).toMatchObject({ kind: 'granted' })
    expect(warnings).toEqual(['onWait threw: a fault of the host'])
    far.close()
  })
})

it('whoever is told must be a function', async () => {
  const { agent } = workspace()
  const bad = { onWarn: 'log' } as never
  expect(() => agent('a', bad)).toThrow(ConfigError)
  expect(() => new LeaseTable(bad)).toThrow(ConfigError)
  await expect(LeaseTable.connect(new LeaseTable().port(), bad)).rejects.toBeInstanceOf(ConfigError)
})
