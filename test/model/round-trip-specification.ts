import { setup } from 'xstate'
import type { RoundTripOutcome } from '../../machines/index.ts'

export const maxInputRounds = 2

export interface RoundTripExpectation {
  readonly rounds: number
  /** What the connection is told; undefined while the call goes on. */
  readonly outcome: RoundTripOutcome | undefined
}

export type RoundTripSpecificationEvent = {
  readonly type:
    | 'begins with questions'
    | 'begins with state alone'
    | 'begins as a task'
    | 'begins as a task that asks'
    | 'inputs are collected'
    | 'collecting fails'
    | 'backoff passes'
    | 'retry is answered'
    | 'retry asks again'
    | 'retry gives state alone'
    | 'retry fails'
    | 'retry becomes a task'
    | 'poll interval passes'
    | 'poll is answered'
    | 'poll shows the task at work'
    | 'poll shows a question'
    | 'poll fails'
    | 'update is taken'
    | 'update is refused'
    | 'host gives up'
}

const spec = setup({
  types: {} as { context: RoundTripExpectation; events: RoundTripSpecificationEvent },
  guards: { isLastRound: ({ context }) => context.rounds === maxInputRounds },
})

const ends = (outcome: RoundTripOutcome) => ({ target: 'over', actions: spec.assign({ outcome }) })
const exceeds = { guard: 'isLastRound' as const, ...ends({ kind: 'exceeded', rounds: maxInputRounds }) }

/**
 * Inputs, then a retry, at most so many times; a server that only parks state is not
 * hammered. A task is polled at the server's interval, and what it asks is answered by an update.
 */
export const roundTripSpecification = spec.createMachine({
  id: 'roundTrip',
  context: { rounds: 0, outcome: undefined },
  initial: 'unasked',
  states: {
    unasked: {
      on: {
        'begins with questions': 'collecting',
        'begins with state alone': 'backingOff',
        'begins as a task': 'waiting',
        'begins as a task that asks': 'answeringTask',
      },
    },
    collecting: {
      on: {
        'inputs are collected': 'retrying',
        'collecting fails': ends({ kind: 'abandoned' }),
        'host gives up': ends({ kind: 'abandoned' }),
      },
    },
    backingOff: { on: { 'backoff passes': 'retrying', 'host gives up': ends({ kind: 'abandoned' }) } },
    retrying: {
      entry: spec.assign({ rounds: ({ context }) => context.rounds + 1 }),
      on: {
        'retry is answered': ends({ kind: 'answered' }),
        'retry asks again': [exceeds, { target: 'collecting' }],
        'retry gives state alone': [exceeds, { target: 'backingOff' }],
        'retry becomes a task': 'waiting',
        'retry fails': ends({ kind: 'abandoned' }),
        'host gives up': ends({ kind: 'abandoned' }),
      },
    },
    waiting: { on: { 'poll interval passes': 'polling', 'host gives up': ends({ kind: 'abandoned' }) } },
    polling: {
      on: {
        'poll is answered': ends({ kind: 'answered' }),
        'poll shows the task at work': 'waiting',
        'poll shows a question': [exceeds, { target: 'answeringTask' }],
        'poll fails': ends({ kind: 'abandoned' }),
        'host gives up': ends({ kind: 'abandoned' }),
      },
    },
    answeringTask: {
      entry: spec.assign({ rounds: ({ context }) => context.rounds + 1 }),
      on: {
        'inputs are collected': 'updating',
        'collecting fails': ends({ kind: 'abandoned' }),
        'host gives up': ends({ kind: 'abandoned' }),
      },
    },
    updating: {
      on: {
        'update is taken': 'waiting',
        'update is refused': ends({ kind: 'abandoned' }),
        'host gives up': ends({ kind: 'abandoned' }),
      },
    },
    over: { type: 'final' },
  },
})
