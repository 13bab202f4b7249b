import { assign, fromPromise, sendParent, setup } from 'xstate'

/** What came of one retry. The answer itself stays with the connection: snapshots are small. */
export type RetryOutcome =
  | { readonly kind: 'complete' }
  | { readonly kind: 'inputRequired'; readonly asks: number }

export type RoundTripOutcome =
  | { readonly kind: 'answered' }
  | { readonly kind: 'exceeded'; readonly rounds: number }
  | { readonly kind: 'abandoned' }

export interface RoundTripInput {
  readonly call: string
  /** How many questions the first answer held; 0 means `requestState` alone. */
  readonly asks: number
  readonly maxInputRounds: number
}

export interface RoundTripContext extends RoundTripInput {
  readonly rounds: number
}

/**
 * One call that was answered `input_required`: collect what was asked, retry, until it is answered or asked too often.
 * Source: basic/patterns/mrtr. `collectInputs` and `retry` are provided by whoever hosts the connection.
 */
export const roundTripMachine = setup({
  types: {} as {
    context: RoundTripContext
    input: RoundTripInput
    events: { type: 'abandon' }
  },
  actors: {
    collectInputs: fromPromise<void, { call: string }>(() =>
      Promise.reject(new Error('collectInputs is not provided')),
    ),
    retry: fromPromise<RetryOutcome, { call: string }>(() =>
      Promise.reject(new Error('retry is not provided')),
    ),
  },
  guards: {
    nothingAsked: ({ context }) => context.asks === 0,
    askedAgain: (_, outcome: RetryOutcome) => outcome.kind === 'inputRequired',
    tooManyRounds: ({ context }) => context.rounds >= context.maxInputRounds,
  },
  delays: {
    /** A server that only parks its state must not be hammered. */
    stateOnlyBackoff: ({ context }) => Math.min(100 * 2 ** context.rounds, 5_000),
  },
  actions: {
    countAsks: assign((_, outcome: RetryOutcome) => ({
      asks: outcome.kind === 'inputRequired' ? outcome.asks : 0,
    })),
    countRound: assign({ rounds: ({ context }) => context.rounds + 1 }),
    tellConnection: sendParent(({ context }, outcome: RoundTripOutcome) => ({
      type: 'roundTrip.settled' as const,
      call: context.call,
      outcome,
    })),
  },
}).createMachine({
  id: 'roundTrip',
  context: ({ input }) => ({ ...input, rounds: 0 }),
  initial: 'asked',
  on: { abandon: '.abandoned' },
  states: {
    asked: {
      always: [
        { guard: 'tooManyRounds', target: 'exceeded' },
        { guard: 'nothingAsked', target: 'backingOff' },
        { target: 'collecting' },
      ],
    },
    collecting: {
      invoke: {
        src: 'collectInputs',
        input: ({ context }) => ({ call: context.call }),
        onDone: 'retrying',
        onError: 'abandoned',
      },
    },
    backingOff: { after: { stateOnlyBackoff: 'retrying' } },
    retrying: {
      entry: 'countRound',
      invoke: {
        src: 'retry',
        input: ({ context }) => ({ call: context.call }),
        onDone: [
          {
            guard: { type: 'askedAgain', params: ({ event }) => event.output },
            target: 'asked',
            actions: { type: 'countAsks', params: ({ event }) => event.output },
          },
          { target: 'answered' },
        ],
        onError: 'abandoned',
      },
    },
    answered: { type: 'final', entry: { type: 'tellConnection', params: { kind: 'answered' } } },
    exceeded: {
      type: 'final',
      entry: {
        type: 'tellConnection',
        params: ({ context }) => ({ kind: 'exceeded' as const, rounds: context.rounds }),
      },
    },
    abandoned: { type: 'final', entry: { type: 'tellConnection', params: { kind: 'abandoned' } } },
  },
})
