import type { ClientCapabilities } from '../../protocol/capabilities.ts'
import { type InputRequest, type InputRequests, mostQuestions } from '../../protocol/input-requests.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { Asker } from '../input/asker.ts'
import { missingCapabilities, undeclared } from '../input/declared.ts'
import { readResponse } from '../input/read-response.ts'
import { invalidParams } from '../methods/params.ts'

interface OpenQuestion extends InputRequest {
  readonly resolve: (response: JsonObject) => void
  readonly reject: (reason: Error) => void
}

/** What a task asks its client: shown until it is answered, each under a key of its own for as long as the task lives. */
export class TaskQuestions implements Asker {
  readonly #declared: ClientCapabilities
  readonly #onAsked: (key: string) => void
  readonly #open = new Map<string, OpenQuestion>()
  readonly #used = new Set<string>()

  /** `onAsked` is called with a key when a question is put under it. */
  constructor(declared: ClientCapabilities, onAsked: (key: string) => void) {
    this.#declared = declared
    this.#onAsked = onAsked
  }

  get shown(): InputRequests {
    return Object.fromEntries([...this.#open].map(([key, { method, params }]) => [key, { method, params }]))
  }

  async ask(method: string, params: JsonObject, wanted: string | undefined): Promise<JsonObject> {
    const required = missingCapabilities(method, params, this.#declared)
    if (required) throw undeclared(method, required)
    if (this.#open.size >= mostQuestions) throw new Error(`${mostQuestions} questions are open already`)
    // As it is now, and as it can be written: else the task could not be shown.
    const asked: JsonObject = JSON.parse(JSON.stringify(params))
    const key = this.#fresh(wanted ?? method.slice(0, method.indexOf('/')), wanted === undefined)
    return new Promise((resolve, reject) => {
      this.#open.set(key, { method, params: asked, resolve, reject })
      this.#onAsked(key)
    })
  }

  /** The responses to questions that are open, read; all others are ignored. @throws ProtocolError for one that is no answer */
  read(responses: unknown): ReadonlyMap<string, JsonObject> {
    if (!isObject(responses)) throw invalidParams('inputResponses must be an object')
    const read = new Map<string, JsonObject>()
    for (const [key, { method, params }] of this.#open) {
      if (!Object.hasOwn(responses, key)) continue
      const response = readResponse(method, params, responses[key])
      if (!response) throw invalidParams(`The response to ${key} is no answer to ${method}`)
      read.set(key, response)
    }
    return read
  }

  settle(responses: ReadonlyMap<string, JsonObject>): void {
    for (const [key, response] of responses) {
      this.#open.get(key)?.resolve(response)
      this.#open.delete(key)
    }
  }

  /** Nobody will answer any more. */
  withdraw(): void {
    for (const { reject } of this.#open.values()) reject(new Error('The task is over'))
    this.#open.clear()
  }

  #fresh(wanted: string, isNumbered: boolean): string {
    let key = isNumbered ? `${wanted}-1` : wanted
    for (let count = 2; this.#used.has(key); count++) key = `${wanted}-${count}`
    this.#used.add(key)
    return key
  }
}
