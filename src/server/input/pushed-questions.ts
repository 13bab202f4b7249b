import { randomUUID } from 'node:crypto'
import type { ClientCapabilities } from '../../protocol/capabilities.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { Asker } from './asker.ts'
import { missingCapabilities } from './declared.ts'
import { readResponse } from './read-response.ts'

/** Sends a request to a legacy client and resolves with its result. */
export type Push = (method: string, params: JsonObject) => Promise<JsonObject>

/** Questions of the legacy era: requests of our own, which the handler waits for. */
export class PushedQuestions implements Asker {
  readonly #declared: ClientCapabilities
  readonly #push: Push | undefined

  constructor(declared: ClientCapabilities, push: Push | undefined) {
    this.#declared = declared
    this.#push = push
  }

  async ask(method: string, params: JsonObject): Promise<JsonObject> {
    const isUnable = missingCapabilities(method, params, this.#declared) !== undefined
    if (isUnable || !this.#push) throw new Error(`The client cannot be asked: it does not take ${method}`)
    const isPage = method === 'elicitation/create' && params.mode === 'url'
    const sent = isPage ? { elicitationId: randomUUID(), ...params } : params
    const response = readResponse(method, params, await this.#push(method, sent))
    if (!response) throw new Error(`The client answered ${method} with what is no answer to it`)
    return response
  }
}
