import { describe, expect, it } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import { type RetryOutcome, roundTripMachine } from '../../machines/index.ts'
import { TestClock } from '../../src/testing/index.ts'

describe('a round trip', () => {
  it('waits longer before every retry of a server that only parks its state, but never more than 5 s', async () => {
    const clock = new TestClock()
    const retriedAtMs: number[] = []
    const machine = roundTripMachine.provide({
      actors: {
        retry: fromPromise(async (): Promise<RetryOutcome> => {
          retriedAtMs.push(clock.now())
          return { kind: 'inputRequired', asks: 0 }
        }),
      },
      actions: { tellConnection: () => {} },
    })
    const actor = createActor(machine, {
      input: { call: 'call-1', asks: 0, maxInputRounds: 8 },
      clock,
    }).start()
    await clock.advanceAsync(60_000)
    const waitedMs = retriedAtMs.map((atMs, round) => atMs - (retriedAtMs[round - 1] ?? 0))
    expect(waitedMs).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
    expect(actor.getSnapshot().value).toBe('exceeded')
  })

  it('counts the rounds, not the questions', async () => {
    const clock = new TestClock()
    const machine = roundTripMachine.provide({
      actors: {
        collectInputs: fromPromise(async () => {}),
        retry: fromPromise(async (): Promise<RetryOutcome> => ({ kind: 'inputRequired', asks: 100 })),
      },
      actions: { tellConnection: () => {} },
    })
    const actor = createActor(machine, {
      input: { call: 'call-1', asks: 1, maxInputRounds: 3 },
      clock,
    }).start()
    await clock.settle()
    expect(actor.getSnapshot()).toMatchObject({ value: 'exceeded', context: { rounds: 3 } })
  })
})
