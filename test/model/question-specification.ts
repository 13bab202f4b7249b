import { setup } from 'xstate'
import type { QuestionOutcome } from '../../machines/index.ts'

/** Three questions, asked in this order. */
export const subjects = {
  first: { batch: 'one', tool: 'read' },
  second: { batch: 'one', tool: 'write' },
  third: { batch: 'two', tool: 'read' },
} as const

export type QuestionName = keyof typeof subjects
const names: readonly QuestionName[] = ['first', 'second', 'third']

export interface QuestionExpectation {
  /** The first is the one that is put. */
  readonly queue: readonly QuestionName[]
  readonly outcomes: { readonly [name in QuestionName]?: QuestionOutcome }
}

interface SpecificationContext extends QuestionExpectation {
  readonly asked: number
  /** Whether the person has allowed reading for good. */
  readonly mayRead: boolean
}

export type QuestionSpecificationEvent = {
  readonly type:
    | 'the next is asked'
    | 'the person answers'
    | 'the person fails'
    | 'the person allows reading for good'
    | 'time is up'
    | 'batch one is aborted'
    | 'the third is no longer wanted'
    | 'the server of read dies'
    | 'another server dies'
}

type Change = (context: SpecificationContext) => SpecificationContext

const spec = setup({
  types: {} as { context: SpecificationContext; events: QuestionSpecificationEvent },
  guards: {
    moreToAsk: ({ context }) => context.asked < names.length,
    readIsPut: ({ context }) => tool(context.queue[0]) === 'read',
    thirdIsOpen: ({ context }) => context.queue.includes('third'),
    noneIsOpen: ({ context }) => context.queue.length === 0,
  },
})

const does = (change: Change) => spec.assign(({ context }) => change(context))

/** One is put at a time, in order; each is looked up among the grants when its turn comes, and only then. */
export const questionSpecification = spec.createMachine({
  id: 'questions',
  context: { queue: [], outcomes: {}, asked: 0, mayRead: false },
  initial: 'idle',
  states: {
    idle: {
      on: {
        'the next is asked': { guard: 'moreToAsk', target: 'prompting', actions: does(asks) },
      },
    },
    prompting: {
      always: { guard: 'noneIsOpen', target: 'idle' },
      on: {
        'the next is asked': { guard: 'moreToAsk', actions: does(asks) },
        'the person answers': { actions: does(putEnds('answered')) },
        'the person fails': { actions: does(putEnds('answered')) },
        'the person allows reading for good': {
          guard: 'readIsPut',
          actions: does((context) => putEnds('answered')({ ...context, mayRead: true })),
        },
        'time is up': { actions: does(putEnds('timedOut')) },
        'batch one is aborted': { actions: does(withdraws(({ batch }) => batch === 'one')) },
        'the third is no longer wanted': {
          guard: 'thirdIsOpen',
          actions: does(withdraws((subject) => subject === subjects.third)),
        },
        'the server of read dies': { actions: does(withdraws(({ tool }) => tool === 'read')) },
        'another server dies': {},
      },
    },
  },
})

function asks(context: SpecificationContext): SpecificationContext {
  const name = names[context.asked] ?? 'first'
  return turn({ ...context, asked: context.asked + 1, queue: [...context.queue, name] }, context.queue[0])
}

function putEnds(outcome: QuestionOutcome): Change {
  return (context) => ended(context, (_, index) => index === 0, outcome)
}

function withdraws(isMeant: (subject: (typeof subjects)[QuestionName]) => boolean): Change {
  return (context) => ended(context, (name) => isMeant(subjects[name]), 'withdrawn')
}

function ended(
  context: SpecificationContext,
  isMeant: (name: QuestionName, index: number) => boolean,
  outcome: QuestionOutcome,
): SpecificationContext {
  const over = context.queue.filter(isMeant)
  const outcomes = { ...context.outcomes, ...Object.fromEntries(over.map((name) => [name, outcome])) }
  const queue = context.queue.filter((name) => !over.includes(name))
  return turn({ ...context, queue, outcomes }, context.queue[0])
}

/** `put`: who had the turn before. */
function turn(context: SpecificationContext, put: QuestionName | undefined): SpecificationContext {
  const next = context.queue[0]
  if (next === undefined || next === put || !context.mayRead || tool(next) !== 'read') return context
  return ended(context, (name) => name === next, 'settledByGrant')
}

function tool(name: QuestionName | undefined): string | undefined {
  return name && subjects[name].tool
}
