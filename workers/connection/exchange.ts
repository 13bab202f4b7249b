import type { Clock } from '../../src/clock.ts'
import { CancelledError, McpError, ProtocolError, TimeoutError } from '../../src/errors.ts'
import { ErrorCode } from '../../src/protocol/error-codes.ts'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'
import type { Budget } from '../frames.ts'
import type { Address, Answer, Correlator } from './correlator.ts'
import { Deadline } from './deadline.ts'
import type { Peer } from './peer.ts'
import type { Readiness } from './readiness.ts'

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

export interface ExchangesParts {
  readonly correlator: Correlator
  readonly clock: Clock
  readonly readiness: Readiness
  readonly tellCancelled: (requestId: number, reason: string) => void
  /** Ends what the wire holds open for a request, without a word to the server. */
  readonly abandon: (requestId: number) => void
  readonly onVersionRefused: () => void
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
  async ask(method: string, params: string, options: Omit<ExchangeOptions, 'meta'> = {}): Promise<Answer> {
    const { readiness } = this.#parts
    // At once where that is possible: requests leave in the order they were made.
    const peer = readiness.peer ?? (await readiness.whenReady())
    const answer = await this.answer(method, params, { ...options, meta: peer.stamp })
    if (!this.#isMendable(answer, peer)) return answer
    const { stamp } = readiness.peer ?? (await readiness.whenReady())
    return this.answer(method, params, { ...options, meta: stamp })
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
        if (!correlator.forget(id)) return
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

  /** A session that was lost is begun again, a version that was refused is asked for again; both by the machine. */
  #isMendable(answer: Answer, askedOf: Peer): boolean {
    const { onVersionRefused, readiness } = this.#parts
    if (answer.kind === 'failure') return answer.wasRefused === true && readiness.peer !== askedOf
    const isVersion = answer.kind === 'error' && answer.error.code === ErrorCode.UnsupportedProtocolVersion
    if (isVersion && readiness.era === 'modern') onVersionRefused()
    return isVersion && readiness.era === 'modern'
  }
}
