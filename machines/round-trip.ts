import { assign, fromPromise, sendParent, setup } from 'xstate'

/** What came of one retry or poll. The answer itself stays with the connection: snapshots are small. */
export type RetryOutcome =
  | { readonly kind: 'complete' }
  /** `pollIntervalMs` is there when it is a task that asks. */
  | { readonly kind: 'inputRequired'; readonly asks: number; readonly pollIntervalMs?: number }
  /** The server made a task of the call, or the task goes on. */
  | { readonly kind: 'working'; readonly pollIntervalMs: number }

export type RoundTripOutcome =
  | { readonly kind: 'answered' }
  | { readonly kind: 'exceeded'; readonly rounds: number }
  | { readonly kind: 'abandoned' }

export interface RoundTripInput {
  readonly call: string
  /** How many questions the first answer held; 0 means `requestState` alone, or a task. */
  readonly asks: number
  readonly maxInputRounds: number
  /** Present once the call is a task. */
  readonly pollIntervalMs?: number
}

export interface RoundTripContext extends RoundTripInput {
  readonly rounds: number
  /** Whether the connection counts the call as one that waits for input, from its beginning to its end. */
  readonly beganAs: 'question' | 'task'
}

const notProvided = (name: string) => () => Promise.reject(new Error(`${name} is not provided`))

/**
 * One call that was not answered at once: it was answered `input_required` (basic/patterns/mrtr), so collect what was asked and
 * retry, until it is answered or asked too often; or it became a task (extension io.modelcontextprotocol/tasks), so poll it, and
 * answer what it asks. What the actors do is provided by whoever hosts the connection.
 */
export const roundTripMachine = setup({
  types: {} as {
    context: RoundTripContext
    input: RoundTripInput
    events: { type: 'abandon' }
  },
  actors: {
    collectInputs: fromPromise<void, { call: string }>(notProvided('collectInputs')),
    retry: fromPromise<RetryOutcome, { call: string }>(notProvided('retry')),
    pollTask: fromPromise<RetryOutcome, { call: string }>(notProvided('pollTask')),
    updateTask: fromPromise<void, { call: string }>(notProvided('updateTask')),
  },
  guards: {
    isTask: ({ context }) => context.pollIntervalMs !== undefined,
    isIdleTask: ({ context }) => context.pollIntervalMs !== undefined && context.asks === 0,
    nothingAsked: ({ context }) => context.asks === 0,
    askedAgain: (_, outcome: RetryOutcome) => outcome.kind === 'inputRequired',
    goesOn: (_, outcome: RetryOutcome) => outcome.kind === 'working',
    /** Waiting for a task is no round; answering or retrying is. */
    tooManyRounds: ({ context }) =>
      context.rounds >= context.maxInputRounds &&
      !(context.pollIntervalMs !== undefined && context.asks === 0),
  },
  delays: {
    /** A server that only parks its state must not be hammered. */
    stateOnlyBackoff: ({ context }) => Math.min(100 * 2 ** context.rounds, 5_000),
    pollInterval: ({ context }) => context.pollIntervalMs ?? 0,
  },
  actions: {
    countAsks: assign(({ context }, outcome: RetryOutcome) =>
      outcome.kind === 'inputRequired'
        ? { asks: outcome.asks, pollIntervalMs: outcome.pollIntervalMs ?? context.pollIntervalMs }
        : {},
    ),
    countRound: assign({ rounds: ({ context }) => context.rounds + 1 }),
    forgetAsks: assign({ asks: 0 }),
    becomeTask: assign(({ context }, outcome: RetryOutcome) => ({
      asks: 0,
      pollIntervalMs: outcome.kind === 'working' ? outcome.pollIntervalMs : context.pollIntervalMs,
    })),
    tellQuestionOpened: sendParent({ type: 'question.opened' as const }),
    tellQuestionSettled: sendParent({ type: 'question.settled' as const }),
    tellConnection: sendParent(({ context }, outcome: RoundTripOutcome) => ({
      type: 'roundTrip.settled' as const,
      call: context.call,
      beganAs: context.beganAs,
      outcome,
    })),
  },
}).createMachine({
  id: 'roundTrip',
  context: ({ input }) => ({
    ...input,
    rounds: 0,
    beganAs: input.pollIntervalMs === undefined ? 'question' : 'task',
  }),
  initial: 'asked',
  on: { abandon: '.abandoned' },
  states: {
    asked: {
      always: [
        { guard: 'tooManyRounds', target: 'exceeded' },
        { guard: 'isIdleTask', target: 'waiting' },
        { guard: 'isTask', target: 'answeringTask' },
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
          {
            guard: { type: 'goesOn', params: ({ event }) => event.output },
            target: 'waiting',
            actions: { type: 'becomeTask', params: ({ event }) => event.output },
          },
          { target: 'answered' },
        ],
        onError: 'abandoned',
      },
    },
    waiting: { after: { pollInterval: 'polling' } },
    polling: {
      invoke: {
        src: 'pollTask',
        input: ({ context }) => ({ call: context.call }),
        onDone: [
          {
            guard: { type: 'goesOn', params: ({ event }) => event.output },
            target: 'waiting',
            actions: { type: 'becomeTask', params: ({ event }) => event.output },
          },
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
    answeringTask: {
      entry: ['countRound', 'tellQuestionOpened'],
      exit: 'tellQuestionSettled',
      invoke: {
        src: 'collectInputs',
        input: ({ context }) => ({ call: context.call }),
        onDone: 'updating',
        onError: 'abandoned',
      },
    },
    updating: {
      invoke: {
        src: 'updateTask',
        input: ({ context }) => ({ call: context.call }),
        onDone: { target: 'waiting', actions: 'forgetAsks' },
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
