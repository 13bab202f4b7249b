import { describe, expect, it } from 'vitest'
import { createActor, fromCallback, fromPromise, type Snapshot } from 'xstate'
import {
  type PolicyEvent,
  policyMachine,
  type QuestionOutcome,
  questionMachine,
} from '../../machines/index.ts'
import { TestClock } from '../../src/testing/index.ts'
import { type Deferred, next } from '../model/deferred.ts'

const subject = (question: string, batch = 'one', tool?: string) =>
  ({ type: 'ask', subject: { question, kind: 'permission', batch, tool } }) as const

function start(askTimeoutMs?: number) {
  const clock = new TestClock()
  const answers: Deferred<void>[] = []
  const told: { question: string; outcome: QuestionOutcome }[] = []
  const watching: ((event: PolicyEvent) => void)[] = []
  const machine = policyMachine.provide({
    actors: {
      question: questionMachine.provide({
        actors: { putQuestion: fromPromise(() => next(answers)) },
        guards: { grantDecides: ({ context }) => context.question === 'granted' },
      }),
      watchChildren: fromCallback<PolicyEvent>(({ sendBack }) => {
        watching.push(sendBack)
        return () => void watching.splice(0)
      }),
    },
    actions: { tellAsker: (_, { question, outcome }) => told.push({ question, outcome }) },
  })
  const actor = createActor(machine, { clock, input: { askTimeoutMs } }).start()
  return { clock, answers, told, watching, actor }
}

describe('the policy machine', () => {
  it('asks nobody at first, and nothing waits then', () => {
    const { actor, clock, watching } = start(1_000)
    expect(actor.getSnapshot()).toMatchObject({ value: { open: 'idle' }, children: {} })
    expect([clock.pending, watching.length]).toEqual([0, 0])
  })

  it('forgets a question that is over, and its actor', async () => {
    const { actor, answers, clock, told, watching } = start()
    actor.send(subject('a'))
    expect(Object.keys(actor.getSnapshot().children).sort()).toEqual(['a', 'watch'])
    expect(watching).toHaveLength(1)
    answers[0]?.resolve()
    await clock.settle()
    expect(told).toEqual([{ question: 'a', outcome: 'answered' }])
    expect(actor.getSnapshot()).toMatchObject({
      value: { open: 'idle' },
      context: { questions: [] },
    })
    expect([Object.keys(actor.getSnapshot().children), watching]).toEqual([[], []])
  })

  it('gives no turn to what is withdrawn along with the one that is put', () => {
    const { actor, answers, told } = start()
    for (const question of ['a', 'b', 'c']) actor.send(subject(question))
    actor.send({ type: 'batch.withdrawn', batch: 'one' })
    expect(answers).toHaveLength(1)
    expect(told.map(({ question, outcome }) => `${question} ${outcome}`).sort()).toEqual([
      'a withdrawn',
      'b withdrawn',
      'c withdrawn',
    ])
  })

  it('passes over any number of questions that grants decide', () => {
    const { actor, answers, told } = start()
    actor.send(subject('granted'))
    expect(told).toEqual([{ question: 'granted', outcome: 'settledByGrant' }])
    expect(answers).toEqual([])
  })

  it('ignores what is said of questions, batches and servers it does not have', () => {
    const { actor, told } = start()
    actor.send({ type: 'question.dropped', question: 'x' })
    actor.send({ type: 'batch.withdrawn', batch: 'x' })
    actor.send({ type: 'child.down', tools: ['x'] })
    actor.send(subject('a'))
    actor.send({ type: 'question.dropped', question: 'x' })
    actor.send({ type: 'child.down', tools: [] })
    expect(told).toEqual([])
    expect(actor.getSnapshot().status).toBe('active')
  })

  it('has snapshots that are plain data', () => {
    const { actor } = start()
    actor.send(subject('a', 'one', 'fs_read'))
    const { value, context }: { value: unknown; context: unknown } & Snapshot<unknown> = actor.getSnapshot()
    expect(JSON.parse(JSON.stringify({ value, context }))).toEqual({
      value: { open: 'prompting' },
      context: { questions: [{ question: 'a', kind: 'permission', batch: 'one', tool: 'fs_read' }] },
    })
  })
})

describe('a question', () => {
  it('has its time from when it is put, not from when it is asked', async () => {
    const { actor, answers, clock, told } = start(1_000)
    actor.send(subject('a'))
    actor.send(subject('b'))
    expect(clock.pending).toBe(1)
    await clock.advanceAsync(900)
    answers[0]?.resolve()
    await clock.settle()
    expect(clock.nextInMs).toBe(1_000)
    await clock.advanceAsync(1_000)
    expect(told).toEqual([
      { question: 'a', outcome: 'answered' },
      { question: 'b', outcome: 'timedOut' },
    ])
    expect(clock.pending).toBe(0)
  })
})
