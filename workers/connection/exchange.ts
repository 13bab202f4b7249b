import type { Clock } from '../../src/clock.ts'
import { CancelledError, McpError, ProtocolError, TimeoutError } from '../../src/errors.ts'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'
import type { Budget } from '../frames.ts'
import type { Address, Answer, Correlator } from './correlator.ts'
import { Deadline } from './deadline.ts'
import type { Mending } from './mending.ts'

export interface ExchangeOptions {
  /** Members of the request's `_meta`; default ''. */
  readonly meta?: string
  readonly budget?: Budget
  /** Its reason is the failure when it is one of ours; else the request was cancelled. */
  readonly signal?: AbortSignal
  /** Whether the server hears of a timeout or abort; default true. Never for the probe and `initialize`. */
  readonly tellCancelled?: boolean
  readonly address?: Address
}

export interface ExchangesParts {
  readonly correlator: Correlator
  readonly clock: Clock
  readonly mending: Mending
  readonly tellCancelled: (requestId: number, reason: string) => void
  /** Ends what the wire holds open for a request, without a word to the server. */
  readonly abandon: (requestId: number) => void
}

/** Requests of our own: what lists, subscriptions, tasks and the probe are made of. */
export class Exchanges {
  readonly #parts: ExchangesParts

  constructor(parts: ExchangesParts) {
    this.#parts = parts
  }

  /** One request once the server is known, and its raw result. @throws ProtocolError, TimeoutError, CancelledError, or what ended the connection. */
  async request(
    method: string,
    params: string,
    options: Omit<ExchangeOptions, 'meta'> = {},
  ): Promise<JsonObject> {
    const answer = await this.ask(method, params, options)
    if (answer.kind === 'result') return answer.result
    throw answer.kind === 'error' ? new ProtocolError(answer.error) : answer.failure
  }

  /** The same, with the peer's error as a value. What was refused unexecuted is sent once more when that was mended. */
  ask(method: string, params: string, options: Omit<ExchangeOptions, 'meta'> = {}): Promise<Answer> {
    return this.#parts.mending.ask(method, ({ stamp }) =>
      this.answer(method, params, { ...options, meta: stamp }),
    )
  }

  /** One request as it is, whether or not the server is known. */
  answer(method: string, params: string, options: ExchangeOptions = {}): Promise<Answer> {
    const { correlator, clock } = this.#parts
    const { signal, budget = {}, meta = '', tellCancelled = true, address } = options
    const cancelled = () =>
      signal?.reason instanceof McpError ? signal.reason : new CancelledError({ method })
    if (signal?.aborted) return Promise.resolve({ kind: 'failure', failure: cancelled() })
    return new Promise((resolve) => {
      const finish = (answer: Answer) => {
        deadline.clear()
        signal?.removeEventListener('abort', abort)
        resolve(answer)
      }
      const giveUp = (failure: McpError) => {
        if (!correlator.forget(id, method)) return
        if (tellCancelled) this.#parts.tellCancelled(id, failure.message)
        else this.#parts.abandon(id)
        finish({ kind: 'failure', failure })
      }
      const abort = () => giveUp(cancelled())
      const { timeoutMs = 0, maxTotalTimeoutMs = 0 } = budget
      const deadline = new Deadline(clock, timeoutMs, maxTotalTimeoutMs, (option) =>
        giveUp(
          new TimeoutError({
            method,
            timeoutMs: option === 'timeoutMs' ? timeoutMs : maxTotalTimeoutMs,
            option,
          }),
        ),
      )
      const id = correlator.request(method, params, meta, finish, address)
      deadline.start()
      signal?.addEventListener('abort', abort, { once: true })
    })
  }
}
