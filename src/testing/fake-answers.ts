import { isObject, type JsonObject, type JsonRpcErrorObject, type RequestId } from '../protocol/json-rpc.ts'
import { thrownMessage } from '../thrown-message.ts'

/** One request as a fake server gets it. */
export interface FakeRequest {
  readonly id: RequestId
  readonly method: string
  /** With `_meta`, exactly as it was sent; `{}` when there were none. */
  readonly params: JsonObject
}

/** A JSON-RPC error as an answer, e.g. `{ error: { code: -32601, message: 'No such method' } }`. */
export interface FakeError {
  readonly error: JsonRpcErrorObject
}

/** The body of a result, an error, or no answer at all. */
export type FakeReply = JsonObject | FakeError | 'silence'

/**
 * What a fake server answers to a method: always the same, or what a function makes of the request (one that throws answers
 * -32603), or the entries of an array in turn, the last one from then on.
 */
export type FakeAnswer =
  | FakeReply
  | ((request: FakeRequest) => FakeReply | Promise<FakeReply>)
  | readonly FakeAnswer[]

/** The script of one method, and how far it was followed. */
export class FakeScript {
  readonly #answer: FakeAnswer
  #turns: FakeScript[] | undefined

  constructor(answer: FakeAnswer) {
    this.#answer = answer
  }

  async reply(request: FakeRequest): Promise<FakeReply> {
    const answer = this.#answer
    if (isTurns(answer)) return this.#inTurn(answer, request)
    if (typeof answer !== 'function') return answer
    try {
      return await answer(request)
    } catch (error) {
      return { error: { code: -32603, message: thrownMessage(error) } }
    }
  }

  #inTurn(answers: readonly FakeAnswer[], request: FakeRequest): Promise<FakeReply> {
    this.#turns ??= answers.map((answer) => new FakeScript(answer))
    const turn = this.#turns.length > 1 ? this.#turns.shift() : this.#turns[0]
    return turn ? turn.reply(request) : Promise.resolve('silence')
  }
}

/** The message that carries a reply; undefined for silence. */
export function responseTo(id: RequestId, reply: FakeReply): JsonObject | undefined {
  if (reply === 'silence') return undefined
  return isError(reply) ? { jsonrpc: '2.0', id, error: reply.error } : { jsonrpc: '2.0', id, result: reply }
}

function isError(reply: JsonObject | FakeError): reply is FakeError {
  return isObject(reply.error) && typeof reply.error.code === 'number' && Object.keys(reply).length === 1
}

function isTurns(answer: FakeAnswer): answer is readonly FakeAnswer[] {
  return Array.isArray(answer)
}
