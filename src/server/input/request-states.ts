import { createHash, randomUUID } from 'node:crypto'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { Seal } from '../../seal.ts'
import { invalidParams } from '../methods/params.ts'
import type { ReplayStore } from './replay-store.ts'

/** The call a state belongs to, and whose it is. */
export interface AskedCall {
  readonly method: string
  readonly params: JsonObject
  readonly principal: string | undefined
}

/** What one call has learnt from its client so far, by key of the question; `digest` is of the question that was answered. */
export interface Answers {
  readonly [key: string]: { readonly digest: string; readonly response: JsonObject }
}

export interface RequestStatesParts {
  readonly seal: Seal
  readonly replays: ReplayStore | undefined
  /** How long a client may take for one round. */
  readonly lifetimeMs: number
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** The state a client carries from one round of a call to the next: good for that call, for a time, and once. */
export class RequestStates {
  readonly #parts: RequestStatesParts

  constructor(parts: RequestStatesParts) {
    this.#parts = parts
  }

  write({ method, params, principal }: AskedCall, answers: Answers): string {
    const { seal, lifetimeMs, now } = this.#parts
    return seal.seal({
      call: callDigest({ method, params, principal }),
      answers,
      expiresAt: now() + lifetimeMs,
      nonce: randomUUID(),
    })
  }

  /** The answers of the rounds before. @throws ProtocolError for a state that is not good for this call */
  async read(call: AskedCall): Promise<Answers> {
    const { requestState } = call.params
    if (requestState === undefined) return {}
    const { seal, replays, now } = this.#parts
    const state = typeof requestState === 'string' ? seal.open(requestState) : undefined
    if (!state || !isObject(state.answers)) throw invalidParams('requestState is not what this server sent')
    const { answers, expiresAt, nonce } = state
    if (state.call !== callDigest(call)) throw invalidParams('requestState belongs to another call')
    if (Number(expiresAt) < now()) throw invalidParams('requestState has expired: call again without it')
    const isFirst = replays === undefined || (await replays.claim(String(nonce), Number(expiresAt)))
    if (!isFirst) throw invalidParams('requestState was used before: call again without it')
    return answers as Answers
  }
}

export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}

/** What makes a retry the same call: everything but what a retry brings. */
function callDigest({ method, params, principal }: AskedCall): string {
  const { requestState: _state, inputResponses: _responses, _meta, ...same } = params
  return digestOf([method, same, principal])
}
