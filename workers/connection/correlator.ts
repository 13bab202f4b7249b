import type { McpError } from '../../src/errors.ts'
import type { JsonObject, JsonRpcErrorObject, RequestId } from '../../src/protocol/json-rpc.ts'
import { requestText } from '../../src/protocol/requests.ts'
import type { Outbound } from '../../src/transports/transport.ts'

/** How a request ended: answered by the peer, or failed on our side. */
export type Answer =
  /** `size` is the length of the message's text: how it crosses a thread depends on it. */
  | { readonly kind: 'result'; readonly result: JsonObject; readonly size: number }
  | { readonly kind: 'error'; readonly error: JsonRpcErrorObject }
  /** `wasRefused`: the server certainly did not execute it. */
  | { readonly kind: 'failure'; readonly failure: McpError; readonly wasRefused?: boolean }

export type Settle = (answer: Answer) => void

/** What a wire that mirrors messages into headers needs to know of a request. */
export interface Address {
  /** The version it is stamped with, where that is not yet the peer's. */
  readonly version?: string
  readonly subject?: string | undefined
  readonly params?: { readonly [name: string]: string } | undefined
}

const mostGivenUp = 100

/** The table of requests that wait for an answer. Ids are ours, increasing integers, never reused, compared strictly. */
export class Correlator {
  readonly #pending = new Map<RequestId, Settle>()
  readonly #send: (message: Outbound, address: Address | undefined) => void
  #nextId = 1
  #unanswered = 0
  /** What was given up last, for messages. */
  readonly #givenUp = new Map<RequestId, string>()
  #failure: McpError | undefined

  constructor(send: (message: Outbound, address: Address | undefined) => void) {
    this.#send = send
  }

  get pending(): number {
    return this.#pending.size
  }

  /** Sends a request; `settle` is called exactly once, unless the request is forgotten first. Returns its id. */
  request(method: string, params: string, meta: string, settle: Settle, address?: Address): number {
    const id = this.#nextId++
    this.#pending.set(id, settle)
    const failure = this.#failure
    if (failure) queueMicrotask(() => this.settle(id, { kind: 'failure', failure }))
    else this.#send({ kind: 'request', id, method, text: requestText(id, method, params, meta) }, address)
    return id
  }

  /** Hands an answer to the request it belongs to; false when nobody waits for it (late, foreign or answered before). */
  settle(id: RequestId, answer: Answer): boolean {
    const settle = this.#pending.get(id)
    if (!settle) {
      if (this.#unanswered > 0) this.#unanswered -= 1
      return false
    }
    this.#pending.delete(id)
    settle(answer)
    return true
  }

  /** The one request an answer without an id can belong to; undefined when there is doubt. */
  only(): RequestId | undefined {
    if (this.#pending.size !== 1 || this.#unanswered > 0) return undefined
    return this.#pending.keys().next().value
  }

  /** Stops waiting: a late answer will be dropped. False when it was settled already. */
  forget(id: RequestId, method?: string): boolean {
    const wasPending = this.#pending.delete(id)
    if (!wasPending) return false
    this.#unanswered += 1
    if (method !== undefined) this.#givenUp.set(id, method)
    for (const oldest of this.#givenUp.keys()) {
      if (this.#givenUp.size <= mostGivenUp) break
      this.#givenUp.delete(oldest)
    }
    return true
  }

  /** What a late answer would have been to, if that is still known. */
  methodGivenUp(id: RequestId): string | undefined {
    return this.#givenUp.get(id)
  }

  /** The wire is gone: everything that waits fails, and so does whatever is still asked by what was on its way here. */
  failAll(failure: McpError): void {
    this.#failure = failure
    const waiting = [...this.#pending.values()]
    this.#pending.clear()
    for (const settle of waiting) settle({ kind: 'failure', failure })
  }
}
