import type { McpError } from '../../src/errors.ts'
import { ErrorCode } from '../../src/protocol/error-codes.ts'
import { hookFor, type InputRequest } from '../../src/protocol/input-requests.ts'
import type { RequestId } from '../../src/protocol/json-rpc.ts'
import { errorText, resultText } from '../../src/protocol/requests.ts'
import { thrownMessage } from '../../src/thrown-message.ts'
import type { Outbound } from '../../src/transports/transport.ts'
import type { Questions } from './questions.ts'

/** Questions of one server that may wait for people at once. */
const mostOpen = 64

export interface ServerRequestsParts {
  readonly questions: Questions
  readonly send: (message: Outbound) => void
  /** Called when a question opens; what it returns, when it is settled. */
  readonly onQuestion: () => () => void
  /** Who answers, as far as that is known. */
  readonly claim: () => string | undefined
}

/** Requests a legacy server sends to us: ping, and the same questions a modern one embeds. */
export class ServerRequests {
  readonly #parts: ServerRequestsParts
  readonly #open = new Map<RequestId, AbortController>()

  constructor(parts: ServerRequestsParts) {
    this.#parts = parts
  }

  /** Never rejects: a question that cannot be answered is refused. */
  async serve(id: RequestId, request: InputRequest): Promise<void> {
    try {
      await this.#serve(id, request)
    } catch (error) {
      this.#refuse(id, ErrorCode.InternalError, `The question could not be answered: ${thrownMessage(error)}`)
    }
  }

  /** The server took its question back: the hook is told, nothing is answered. */
  cancel(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.#open.get(id)?.abort()
  }

  /** Nobody will read the answers: the wire ended, or the session they belong to. */
  abandonAll(reason: McpError): void {
    const open = [...this.#open.values()]
    this.#open.clear()
    for (const question of open) question.abort(reason)
  }

  async #serve(id: RequestId, request: InputRequest): Promise<void> {
    const { method } = request
    const { questions, send, onQuestion, claim } = this.#parts
    if (method === 'ping') return send({ kind: 'response', id, text: resultText(id, {}) })
    const hook = hookFor(method)
    const shown = method.slice(0, 100)
    if (!hook) return this.#refuse(id, ErrorCode.MethodNotFound, `${shown} is not a method of this client`)
    if (!questions.isDeclared(request))
      return this.#refuse(id, undeclaredCode(hook), `This client did not declare ${shown} of that kind`)
    if (this.#open.size >= mostOpen)
      return this.#refuse(id, ErrorCode.InternalError, 'Too many questions are open')
    if (this.#open.has(id))
      return this.#refuse(id, ErrorCode.InvalidRequest, 'A request with this id is still open')
    const cancel = new AbortController()
    this.#open.set(id, cancel)
    const settled = onQuestion()
    const withdrawn = new Promise<undefined>((resolve) => {
      cancel.signal.addEventListener('abort', () => resolve(undefined), { once: true })
    })
    try {
      // A hook need not obey its signal; nobody waits for one that was withdrawn.
      const answer = questions.answer(request, { claim: claim(), signal: cancel.signal })
      const body = await Promise.race([answer, withdrawn])
      if (cancel.signal.aborted) return
      if (body) send({ kind: 'response', id, text: resultText(id, body) })
      else this.#refuse(id, ErrorCode.SamplingRefused, 'The host refused to sample')
    } finally {
      if (this.#open.get(id) === cancel) this.#open.delete(id)
      settled()
    }
  }

  #refuse(id: RequestId, code: number, message: string): void {
    this.#parts.send({ kind: 'response', id, text: errorText(id, code, message) })
  }
}

function undeclaredCode(hook: 'elicit' | 'sample' | 'listRoots'): number {
  return hook === 'elicit' ? ErrorCode.InvalidParams : ErrorCode.MethodNotFound
}
