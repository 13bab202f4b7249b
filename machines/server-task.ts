import { assign, fromPromise, setup } from 'xstate'

export interface ServerTaskInput {
  /** How long the task is kept, from its creation. */
  readonly ttlMs: number
}

export interface ServerTaskContext extends ServerTaskInput {
  /** The keys of the questions that nobody has answered yet. */
  readonly open: readonly string[]
}

export type ServerTaskEvent =
  /** The work asks its client something, under a key it has not used before. */
  | { readonly type: 'ask'; readonly key: string }
  | { readonly type: 'answer'; readonly keys: readonly string[] }
  | { readonly type: 'cancel' }

/**
 * One call that a server of ours made a task of (extension io.modelcontextprotocol/tasks): its work goes on, and asks, until it ends
 * or nobody wants it any more; how it ended is kept until its time is over. Questions and result stay with whoever hosts it.
 */
export const serverTaskMachine = setup({
  types: {} as { context: ServerTaskContext; input: ServerTaskInput; events: ServerTaskEvent },
  actors: {
    /** Provided: resolves when there is a result, rejects with an error of the protocol, and is told by its signal to stop. */
    work: fromPromise<void>(() => Promise.reject(new Error('work is not provided'))),
  },
  guards: {
    answersAll: ({ context }, keys: readonly string[]) => context.open.every((key) => keys.includes(key)),
  },
  delays: { ttl: ({ context }) => context.ttlMs },
  actions: {
    open: assign(({ context }, key: string) => ({ open: [...context.open, key] })),
    close: assign(({ context }, keys: readonly string[]) => ({
      open: context.open.filter((key) => !keys.includes(key)),
    })),
  },
}).createMachine({
  id: 'serverTask',
  context: ({ input }) => ({ ttlMs: input.ttlMs, open: [] }),
  initial: 'running',
  after: { ttl: '.expired' },
  states: {
    running: {
      invoke: { src: 'work', onDone: 'completed', onError: 'failed' },
      on: {
        cancel: 'cancelled',
        ask: { target: '.inputRequired', actions: { type: 'open', params: ({ event }) => event.key } },
      },
      initial: 'working',
      states: {
        working: {},
        inputRequired: {
          on: {
            answer: [
              {
                guard: { type: 'answersAll', params: ({ event }) => event.keys },
                target: 'working',
                actions: { type: 'close', params: ({ event }) => event.keys },
              },
              { actions: { type: 'close', params: ({ event }) => event.keys } },
            ],
          },
        },
      },
    },
    completed: {},
    failed: {},
    cancelled: {},
    expired: { type: 'final' },
  },
})
