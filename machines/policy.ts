import { enqueueActions, fromCallback, setup, stopChild } from 'xstate'
import { type QuestionOutcome, questionMachine } from './question.ts'

/** What a question is about, as far as it may be withdrawn with it. */
export interface QuestionSubject {
  /** Its name among the questions of the policy. */
  readonly question: string
  readonly kind: 'permission' | 'server-elicit'
  /** The calls it was asked with. */
  readonly batch: string
  /** The tool whose call is meant, where that is known. */
  readonly tool: string | undefined
}

export interface PolicyInput {
  readonly askTimeoutMs: number | undefined
}

export interface PolicyContext extends PolicyInput {
  /** Every open question in the order of asking; the first is the one that is put. */
  readonly questions: readonly QuestionSubject[]
}

export type PolicyEvent =
  | { readonly type: 'ask'; readonly subject: QuestionSubject }
  | { readonly type: 'question.settled'; readonly question: string; readonly outcome: QuestionOutcome }
  | Withdrawal

type Withdrawal =
  /** Nobody waits for its answer any more. */
  | { readonly type: 'question.dropped'; readonly question: string }
  /** The batch was aborted. */
  | { readonly type: 'batch.withdrawn'; readonly batch: string }
  /** A server died, or was taken out; these were its tools. */
  | { readonly type: 'child.down'; readonly tools: readonly string[] }

/**
 * Who is asked, and when: one question at a time, in the order of asking. What a question says, what its answer means and what
 * grants there are is known to whoever hosts it; so is which servers die while somebody is asked.
 */
export const policyMachine = setup({
  types: {} as {
    context: PolicyContext
    input: PolicyInput
    events: PolicyEvent
    children: { watch: 'watchChildren' }
  },
  actors: {
    question: questionMachine,
    /** Sends `child.down`. */
    watchChildren: fromCallback<PolicyEvent>(() => {}),
  },
  guards: {
    nothingIsAsked: ({ context }) => context.questions.length === 0,
    isPut: ({ context }, question: string) => context.questions[0]?.question === question,
  },
  actions: {
    open: enqueueActions(({ context, enqueue }, subject: QuestionSubject) => {
      const { question } = subject
      enqueue.spawnChild('question', {
        id: question,
        input: { question, askTimeoutMs: context.askTimeoutMs },
      })
      enqueue.assign({ questions: [...context.questions, subject] })
    }),
    close: enqueueActions(({ context, enqueue }, question: string) => {
      enqueue(stopChild(question))
      enqueue.assign({ questions: context.questions.filter((subject) => subject.question !== question) })
    }),
    putNext: enqueueActions(({ context, enqueue }) => {
      const next = context.questions[0]
      if (next) enqueue.sendTo(next.question, { type: 'turn' })
    }),
    withdraw: enqueueActions(({ context, enqueue }, withdrawal: Withdrawal) => {
      // The last first: none of them gets a turn on the way.
      for (const subject of [...context.questions].reverse())
        if (isMeant(subject, withdrawal)) enqueue.sendTo(subject.question, { type: 'withdraw' })
    }),
    /** Provided: tells whoever asked. */
    tellAsker: (_, _params: { question: string; outcome: QuestionOutcome }) => {},
  },
}).createMachine({
  id: 'policy',
  context: ({ input }) => ({ ...input, questions: [] }),
  initial: 'open',
  states: {
    open: {
      initial: 'idle',
      on: {
        'batch.withdrawn': { actions: { type: 'withdraw', params: ({ event }) => event } },
        'question.dropped': { actions: { type: 'withdraw', params: ({ event }) => event } },
        'child.down': { actions: { type: 'withdraw', params: ({ event }) => event } },
      },
      states: {
        idle: {
          on: {
            ask: {
              target: 'prompting',
              actions: [{ type: 'open', params: ({ event }) => event.subject }, 'putNext'],
            },
          },
        },
        prompting: {
          invoke: { src: 'watchChildren', id: 'watch' },
          always: { guard: 'nothingIsAsked', target: 'idle' },
          on: {
            ask: { actions: { type: 'open', params: ({ event }) => event.subject } },
            'question.settled': [
              {
                guard: { type: 'isPut', params: ({ event }) => event.question },
                actions: [
                  { type: 'close', params: ({ event }) => event.question },
                  'putNext',
                  { type: 'tellAsker', params: ({ event }) => event },
                ],
              },
              {
                actions: [
                  { type: 'close', params: ({ event }) => event.question },
                  { type: 'tellAsker', params: ({ event }) => event },
                ],
              },
            ],
          },
        },
      },
    },
  },
})

function isMeant({ question, batch, tool }: QuestionSubject, withdrawal: Withdrawal): boolean {
  switch (withdrawal.type) {
    case 'question.dropped':
      return question === withdrawal.question
    case 'batch.withdrawn':
      return batch === withdrawal.batch
    case 'child.down':
      return tool !== undefined && withdrawal.tools.includes(tool)
  }
}
