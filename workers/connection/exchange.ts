import type { Clock } from '../../src/clock.ts'
import { CancelledError, McpError, ProtocolError, TimeoutError } from '../../src/errors.ts'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'
import type { Budget } from '../frames.ts'
import type { Address, Answer, Correlator } from './correlator.ts'
import { Deadline } from './deadline.ts'

export interface ExchangeOptions {
  /** Members of the request's `_meta`; default ''. */
  readonly meta?: string
  readonly budget?: Budget
  /** Its reason is the failure when it is one of ours; else the request was cancelled. */
  readonly signal?: AbortSignal
  /** Whether the server hears of a timeout or abort; default true. Never for the probe and `initialize` (L-01, L-03). */
  readonly tellCancelled?: boolean
  readonly address?: Address
}

/** The server refused a request unexecuted, for a reason that is being mended: it may be sent once more. */
export class Refusal extends Error {
  readonly failure: McpError

  constructor(failure: McpError) {
    super(failure.message)
    this.failure = failure
  }
}

/** One request of our own and its raw result: what lists, subscriptions and the probe are made of. */
export class Exchanges {
  readonly #correlator: Correlator
  readonly #clock: Clock
  readonly #tellCancelled: (requestId: number, reason: string) => void
  readonly #abandon: (requestId: number) => void

  constructor(
    correlator: Correlator,
    clock: Clock,
    tellCancelled: (requestId: number, reason: string) => void,
    /** Ends what the wire holds open for a request, without a word to the server. */
    abandon: (requestId: number) => void = () => {},
  ) {
    this.#correlator = correlator
    this.#clock = clock
    this.#tellCancelled = tellCancelled
    this.#abandon = abandon
  }

  /** @throws ProtocolError, TimeoutError, CancelledError, Refusal, or what ended the connection. */
  async request(method: string, params: string, options: ExchangeOptions = {}): Promise<JsonObject> {
    const answer = await this.answer(method, params, options)
    if (answer.kind === 'result') return answer.result
    if (answer.kind === 'error') throw new ProtocolError(answer.error)
    throw answer.wasRefused ? new Refusal(answer.failure) : answer.failure
  }

  /** The same, with the peer's error as a value. */
  answer(method: string, params: string, options: ExchangeOptions = {}): Promise<Answer> {
    const { signal, budget = {}, meta = '', tellCancelled = true, address } = options
    if (signal?.aborted) return Promise.resolve({ kind: 'failure', failure: new CancelledError({ method }) })
    return new Promise((resolve) => {
      const finish = (answer: Answer) => {
        deadline.clear()
        signal?.removeEventListener('abort', abort)
        resolve(answer)
      }
      const giveUp = (failure: McpError) => {
        if (!this.#correlator.forget(id)) return
        if (tellCancelled) this.#tellCancelled(id, failure.message)
        else this.#abandon(id)
        finish({ kind: 'failure', failure })
      }
      const abort = () =>
        giveUp(signal?.reason instanceof McpError ? signal.reason : new CancelledError({ method }))
      const { timeoutMs = 0, maxTotalTimeoutMs = 0 } = budget
      const deadline = new Deadline(this.#clock, timeoutMs, maxTotalTimeoutMs, (option) =>
        giveUp(
          new TimeoutError({
            method,
            timeoutMs: option === 'timeoutMs' ? timeoutMs : maxTotalTimeoutMs,
            option,
          }),
        ),
      )
      const id = this.#correlator.request(method, params, meta, finish, address)
      deadline.start()
      signal?.addEventListener('abort', abort, { once: true })
    })
  }
}
