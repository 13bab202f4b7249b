import type { AskContext, AskRequest, OnAsk } from '../../../src/providers/policy/ask.ts'
import { type Deferred, deferred } from '../../model/deferred.ts'

type Answer = Awaited<ReturnType<OnAsk>>

/** A person who is asked one thing after another, and answers when the test says so. */
export class AskedPerson {
  readonly asked: AskRequest[] = []
  readonly contexts: AskContext[] = []
  readonly #answers: Deferred<Answer>[] = []

  readonly onAsk: OnAsk = (request, context) => {
    this.asked.push(request)
    this.contexts.push(context)
    const answer = deferred<Answer>()
    this.#answers.push(answer)
    return answer.promise
  }

  /** Which tools were asked about, in order. */
  get tools(): readonly string[] {
    return this.asked.map((request) =>
      request.kind === 'permission' ? request.tool : request.request.method,
    )
  }

  answer(answer: Answer, which = this.#answers.length - 1): void {
    const open = this.#answers[which]
    if (!open) throw new Error(`Question ${which} was not asked`)
    open.resolve(answer)
  }

  fail(error: unknown): void {
    this.#answers.at(-1)?.reject(error)
  }
}
