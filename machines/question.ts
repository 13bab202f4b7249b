import { cancel, enqueueActions, fromPromise, sendParent, setup } from 'xstate'

/** How a question ended; its answer stays with whoever asked: snapshots are small. */
export type QuestionOutcome = 'answered' | 'settledByGrant' | 'withdrawn' | 'timedOut'

export interface QuestionInput {
  readonly question: string
  /** How long a person has from when it is put to them; for ever when undefined. */
  readonly askTimeoutMs: number | undefined
}

export type QuestionEvent =
  /** Nobody else is being asked. */
  | { readonly type: 'turn' }
  /** Its answer is no longer wanted. */
  | { readonly type: 'withdraw' }
  | { readonly type: 'deadline' }

/** One question to a person: it waits for its turn, and is put unless a grant has answered it meanwhile. */
export const questionMachine = setup({
  types: {} as { context: QuestionInput; input: QuestionInput; events: QuestionEvent },
  actors: {
    putQuestion: fromPromise<void, { question: string }>(() =>
      Promise.reject(new Error('putQuestion is not provided')),
    ),
  },
  guards: {
    /** Provided: whether the grants there are by now decide it. */
    grantDecides: () => false,
  },
  actions: {
    setDeadline: enqueueActions(({ context, enqueue }) => {
      if (context.askTimeoutMs !== undefined)
        enqueue.raise({ type: 'deadline' }, { id: 'deadline', delay: context.askTimeoutMs })
    }),
    forgetDeadline: cancel('deadline'),
    tellPolicy: sendParent(({ context }, outcome: QuestionOutcome) => ({
      type: 'question.settled' as const,
      question: context.question,
      outcome,
    })),
  },
}).createMachine({
  id: 'question',
  context: ({ input }) => input,
  initial: 'queued',
  on: { withdraw: '.withdrawn' },
  states: {
    queued: {
      on: { turn: [{ guard: 'grantDecides', target: 'settledByGrant' }, { target: 'prompting' }] },
    },
    prompting: {
      entry: 'setDeadline',
      exit: 'forgetDeadline',
      invoke: {
        src: 'putQuestion',
        input: ({ context }) => ({ question: context.question }),
        onDone: 'answered',
        onError: 'answered',
      },
      on: { deadline: 'timedOut' },
    },
    answered: { type: 'final', entry: { type: 'tellPolicy', params: 'answered' } },
    settledByGrant: { type: 'final', entry: { type: 'tellPolicy', params: 'settledByGrant' } },
    withdrawn: { type: 'final', entry: { type: 'tellPolicy', params: 'withdrawn' } },
    timedOut: { type: 'final', entry: { type: 'tellPolicy', params: 'timedOut' } },
  },
})
