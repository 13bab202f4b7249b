import { setup } from 'xstate'
import type { TaskStatus } from '../../src/protocol/tasks.ts'

export interface ServerTaskExpectation {
  /** What a client that asks is told. */
  readonly status: TaskStatus | 'unknown'
  /** The questions it is shown. */
  readonly open: readonly string[]
  /** The answers its handler has. */
  readonly answered: readonly string[]
  /** Whether its handler was told to stop. */
  readonly isAborted: boolean
}

export type ServerTaskSpecificationEvent = {
  readonly type:
    | 'the handler asks'
    | 'the client answers the first'
    | 'the client answers everything'
    | 'the client answers with nonsense'
    | 'the client cancels'
    | 'the handler returns'
    | 'the handler refuses'
    | 'time is up'
}

const names = ['elicitation-1', 'elicitation-2']

const spec = setup({
  types: {} as { context: ServerTaskExpectation; events: ServerTaskSpecificationEvent },
  guards: {
    moreToAsk: ({ context }) => context.open.length + context.answered.length < names.length,
  },
})

const does = (change: (context: ServerTaskExpectation) => ServerTaskExpectation) =>
  spec.assign(({ context }) => change(context))

/** It goes on and asks until it ends, which is final; answers may come one by one; its time ends it, and what is known of it. */
export const serverTaskSpecification = spec.createMachine({
  id: 'task of a server',
  context: { status: 'working', open: [], answered: [], isAborted: false },
  initial: 'running',
  states: {
    running: {
      on: {
        'the handler asks': { guard: 'moreToAsk', actions: does(asks) },
        'the client answers the first': { actions: does(answers((key) => key === names[0])) },
        'the client answers everything': { actions: does(answers(() => true)) },
        'the client answers with nonsense': {},
        'the client cancels': { target: 'over', actions: does(ends('cancelled', true)) },
        'the handler returns': { target: 'over', actions: does(ends('completed', false)) },
        'the handler refuses': { target: 'over', actions: does(ends('failed', false)) },
        'time is up': { target: 'gone', actions: does(ends('unknown', true)) },
      },
    },
    over: {
      on: {
        'the client answers everything': {},
        'the client cancels': {},
        'time is up': {
          target: 'gone',
          actions: does((context) => ends('unknown', context.isAborted)(context)),
        },
      },
    },
    gone: { on: { 'the client answers everything': {}, 'the client cancels': {} } },
  },
})

function asks(context: ServerTaskExpectation): ServerTaskExpectation {
  const key = names[context.open.length + context.answered.length] ?? ''
  return { ...context, status: 'input_required', open: [...context.open, key] }
}

function answers(isMeant: (key: string) => boolean) {
  return (context: ServerTaskExpectation): ServerTaskExpectation => {
    const open = context.open.filter((key) => !isMeant(key))
    const answered = [...context.answered, ...context.open.filter(isMeant)]
    return { ...context, status: open.length > 0 ? 'input_required' : 'working', open, answered }
  }
}

function ends(status: ServerTaskExpectation['status'], isAborted: boolean) {
  return (context: ServerTaskExpectation): ServerTaskExpectation => ({
    ...context,
    status,
    open: [],
    isAborted,
  })
}
