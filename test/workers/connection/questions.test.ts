import { describe, expect, it } from 'vitest'
import type { ClientCapabilities, HookName } from '../../../src/protocol/capabilities.ts'
import { Warnings } from '../../../src/warnings.ts'
import { Questions } from '../../../workers/connection/questions.ts'
import { asking, TestDesk } from '../harness.ts'

function questionsOf(hooks: readonly HookName[], capabilities: ClientCapabilities) {
  const desk = new TestDesk()
  const warned: string[] = []
  const questions = new Questions(desk, hooks, capabilities, new Warnings((message) => warned.push(message)))
  return { desk, warned, questions }
}

const elicit = { method: 'elicitation/create', params: { message: 'Who?' } }
const sample = { method: 'sampling/createMessage', params: {} }

describe('a question', () => {
  it('goes to its hook, numbered, with the call it belongs to', async () => {
    const { desk, questions } = questionsOf(asking.hooks, asking.clientCapabilities)
    const answers = [questions.answer(elicit, { call: 7 }), questions.answer(sample)]
    expect(desk.asked.map(({ id, hook, call }) => [id, hook, call])).toEqual([
      [1, 'elicit', 7],
      [2, 'sample', undefined],
    ])
    desk.asked[0]?.resolve({ action: 'decline' })
    desk.asked[1]?.resolve({ model: 'm' })
    expect(await Promise.all(answers)).toEqual([{ action: 'decline' }, { model: 'm' }])
  })

  it('that is declared but has no hook is declined', async () => {
    const { desk, questions } = questionsOf([], asking.clientCapabilities)
    expect(questions.isDeclared(elicit)).toBe(true)
    expect(await questions.answer(elicit)).toEqual({ action: 'decline' })
    expect(desk.asked).toEqual([])
  })

  it('that has a hook but is not declared is declined', async () => {
    const { desk, questions } = questionsOf(asking.hooks, {})
    expect(
      [elicit, sample, { method: 'roots/list', params: {} }].map((asked) => questions.isDeclared(asked)),
    ).toEqual([false, false, false])
    expect(await questions.answer(sample)).toBeUndefined()
    expect(desk.asked).toEqual([])
  })

  it('that is withdrawn is told to its hook; its failure is no warning then', async () => {
    const { desk, warned, questions } = questionsOf(asking.hooks, asking.clientCapabilities)
    const cancel = new AbortController()
    const answer = questions.answer(elicit, { signal: cancel.signal })
    cancel.abort()
    expect(desk.withdrawn).toEqual([1])
    expect(await answer).toEqual({ action: 'decline' })
    expect(warned).toEqual([])
  })

  it('that was answered is not withdrawn any more', async () => {
    const { desk, questions } = questionsOf(asking.hooks, asking.clientCapabilities)
    const cancel = new AbortController()
    const answer = questions.answer(elicit, { signal: cancel.signal })
    desk.asked[0]?.resolve({ action: 'cancel' })
    await answer
    cancel.abort()
    expect(desk.withdrawn).toEqual([])
  })
})
