import { emit, enqueueActions, setup } from 'xstate'
import type { LeaseAnswer, LeaseBook, LeaseMessage, MessageOf } from './leases/book.ts'
import { refusal } from './leases/grants.ts'
import { afterMessage } from './leases/rules.ts'

export interface LeaseTableInput {
  readonly defaultTtlMs: number
}

/**
 * One table of leases for everybody at work on the same files. What a message does to the book is in the rules; the machine knows
 * whether anybody waits, and when all is over. Time comes with the messages.
 */
export const leaseTableMachine = setup({
  types: {} as {
    context: LeaseBook
    input: LeaseTableInput
    events: LeaseMessage
    emitted: { readonly type: 'answer'; readonly answer: LeaseAnswer }
  },
  guards: {
    someWait: ({ context }) => context.waiters.length > 0,
    noneWaits: ({ context }) => context.waiters.length === 0,
  },
  actions: {
    follow: enqueueActions(({ context, enqueue }, message: LeaseMessage) => {
      const { book, answers } = afterMessage(context, message)
      enqueue.assign(book)
      for (const answer of answers) enqueue.emit({ type: 'answer', answer })
    }),
    refuse: emit((_, { request }: MessageOf<'ACQUIRE'>) => ({
      type: 'answer',
      answer: refusal(request, { reason: 'drained' }),
    })),
  },
}).createMachine({
  id: 'leaseTable',
  context: ({ input }) => ({ defaultTtlMs: input.defaultTtlMs, leases: [], waiters: [], generation: 0 }),
  initial: 'open',
  on: {
    RELEASE: { actions: { type: 'follow', params: ({ event }) => event } },
    RELEASE_HOLDER: { actions: { type: 'follow', params: ({ event }) => event } },
    RELEASE_ALL: { target: '.drained', actions: { type: 'follow', params: ({ event }) => event } },
    CANCEL_WAIT: { actions: { type: 'follow', params: ({ event }) => event } },
    PIN: { actions: { type: 'follow', params: ({ event }) => event } },
    UNPIN: { actions: { type: 'follow', params: ({ event }) => event } },
    TICK: { actions: { type: 'follow', params: ({ event }) => event } },
  },
  states: {
    open: {
      initial: 'free',
      on: { ACQUIRE: { actions: { type: 'follow', params: ({ event }) => event } } },
      states: {
        free: { always: { guard: 'someWait', target: 'contended' } },
        contended: { always: { guard: 'noneWaits', target: 'free' } },
      },
    },
    drained: {
      on: { ACQUIRE: { actions: { type: 'refuse', params: ({ event }) => event } } },
    },
  },
})
