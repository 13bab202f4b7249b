import type { ClientCapabilities } from '../../protocol/capabilities.ts'
import type { InputRequest } from '../../protocol/input-requests.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { invalidParams } from '../methods/params.ts'
import type { Asker } from './asker.ts'
import { missingCapabilities, undeclared } from './declared.ts'
import { readResponse } from './read-response.ts'
import { type Answers, digestOf } from './request-states.ts'

export interface RoundsParts {
  readonly declared: ClientCapabilities
  readonly earlier: Answers
  /** As the client sent them; undefined when it sent none. */
  readonly responses: unknown
  /** Called once, with the questions that nobody has answered: the round ends with them. */
  readonly onSuspended: (questions: { readonly [key: string]: InputRequest }, answers: Answers) => void
}

/** Questions of the modern era: answered from earlier rounds, or the end of this one. */
export class Rounds implements Asker {
  readonly #parts: RoundsParts
  readonly #responses: JsonObject
  readonly #answers: { [key: string]: Answers[string] } = Object.create(null)
  readonly #questions: { [key: string]: InputRequest } = Object.create(null)
  readonly #counts = new Map<string, number>()
  #waiting: ((reason: Error) => void)[] = []

  /** @throws ProtocolError for responses that are none */
  constructor(parts: RoundsParts) {
    const { responses = {}, earlier } = parts
    if (!isObject(responses)) throw invalidParams('inputResponses must be an object')
    this.#parts = parts
    this.#responses = responses
    Object.assign(this.#answers, earlier)
  }

  async ask(method: string, params: JsonObject, wanted: string | undefined): Promise<JsonObject> {
    const required = missingCapabilities(method, params, this.#parts.declared)
    if (required) throw undeclared(method, required)
    const key = wanted ?? this.#nextKey(method)
    const digest = digestOf([method, params])
    const known = Object.hasOwn(this.#answers, key) ? this.#answers[key] : undefined
    if (known?.digest === digest) return known.response
    const given = Object.hasOwn(this.#responses, key) ? this.#responses[key] : undefined
    const response = readResponse(method, params, given)
    if (!response) return this.#suspend(key, { method, params })
    this.#answers[key] = { digest, response }
    return response
  }

  /** The handler hears no answer in this round: it is told that the round is over, so that what it holds is let go. */
  #suspend(key: string, question: InputRequest): Promise<never> {
    this.#questions[key] = question
    const suspended = new Promise<never>((_, reject) => {
      // What is asked at once goes out at once.
      if (this.#waiting.push(reject) === 1) setImmediate(() => this.#end())
    })
    suspended.catch(() => {})
    return suspended
  }

  #end(): void {
    this.#parts.onSuspended(this.#questions, this.#answers)
    for (const reject of this.#waiting)
      reject(new Error('The client was asked; this run of the handler is over'))
  }

  #nextKey(method: string): string {
    const kind = method.slice(0, method.indexOf('/'))
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    return `${kind}-${count}`
  }
}
