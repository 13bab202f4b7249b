import type { Clock } from '../../src/clock.ts'
import { type McpError, ProtocolError, TimeoutError, TransportClosedError } from '../../src/errors.ts'
import type { Notification } from '../../src/protocol/json-rpc.ts'
import type { SubscriptionFilter } from '../../src/protocol/subscriptions.ts'
import type { Budget, CallId } from '../frames.ts'
import type { Answer, Correlator } from './correlator.ts'
import { Deadline } from './deadline.ts'
import { httpStatusOf } from './http-status.ts'
import type { Mending } from './mending.ts'
import type { Peer } from './peer.ts'
import type { Readiness } from './readiness.ts'
import type { SubscriptionVoice } from './subscriptions.ts'

/** A stream that was lost is asked for again after 1, 2, 4 … s; after this many losses in a row the subscription ends. */
const mostLosses = 6
const listenMethod = 'subscriptions/listen'
const longestPauseMs = 30_000

export interface ListensParts {
  readonly clock: Clock
  readonly correlator: Correlator
  readonly readiness: Readiness
  readonly mending: Mending
  readonly budget: Budget
  readonly tellCancelled: (requestId: number, reason: string) => void
  readonly onReopened: () => void
}

interface Listen {
  readonly id: CallId
  readonly filter: SubscriptionFilter
  /** `asking`: never acknowledged; `lost`: its stream broke and is not acknowledged again yet. */
  state: 'asking' | 'open' | 'lost'
  losses: number
  /** How often the server refused it in a row. */
  refusals: number
  requestId: number | undefined
  deadline: Deadline | undefined
  pause: unknown
}

/** The modern era's subscriptions: one long-lived request each (basic/patterns/subscriptions). */
export class Listens {
  readonly #parts: ListensParts
  readonly #voice: SubscriptionVoice
  readonly #listens = new Map<CallId, Listen>()

  constructor(parts: ListensParts, voice: SubscriptionVoice) {
    this.#parts = parts
    this.#voice = voice
  }

  open(id: CallId, filter: SubscriptionFilter, peer: Peer): void {
    const listen: Listen = {
      id,
      filter,
      state: 'asking',
      losses: 0,
      refusals: 0,
      requestId: undefined,
      deadline: undefined,
      pause: undefined,
    }
    this.#listens.set(id, listen)
    this.#ask(listen, peer)
  }

  close(id: CallId): void {
    const listen = this.#listens.get(id)
    if (!listen) return
    this.#withdraw(listen, 'the host stopped listening')
    this.#end(listen, undefined)
  }

  /** Also the answer to a stream that was asked for again: whoever listens knows what is honoured already. */
  acknowledge(requestId: number, honoured: SubscriptionFilter): void {
    const listen = this.#find(requestId)
    if (!listen || listen.state === 'open') return
    listen.deadline?.clear()
    listen.losses = 0
    listen.refusals = 0
    if (listen.state === 'asking') this.#voice.acknowledged(listen.id, honoured)
    else this.#parts.onReopened()
    listen.state = 'open'
  }

  deliver(requestId: number, notification: Notification): void {
    const listen = this.#find(requestId)
    if (listen) this.#voice.note(listen.id, notification)
  }

  cancelledByServer(requestId: number): void {
    const listen = this.#find(requestId)
    if (!listen) return
    this.#parts.correlator.forget(requestId)
    this.#end(listen, undefined)
  }

  failAll(failure: McpError): void {
    for (const listen of [...this.#listens.values()]) this.#end(listen, failure)
  }

  #ask(listen: Listen, peer: Peer): void {
    const { clock, correlator, budget } = this.#parts
    const { timeoutMs = 0 } = budget
    const method = listenMethod
    listen.deadline = new Deadline(clock, timeoutMs, 0, () => {
      this.#withdraw(listen, 'not acknowledged in time')
      this.#end(listen, new TimeoutError({ method, timeoutMs }))
    })
    const params = JSON.stringify({ notifications: listen.filter })
    listen.requestId = correlator.request(method, params, peer.stamp, (answer) =>
      this.#answered(listen, answer, peer),
    )
    listen.deadline.start()
  }

  #answered(listen: Listen, answer: Answer, peer: Peer): void {
    listen.requestId = undefined
    listen.deadline?.clear()
    const mend = listen.refusals === 0 ? this.#parts.mending.of(answer, peer, listenMethod) : undefined
    if (mend) {
      listen.refusals += 1
      void mend().then(() => this.#askWhenReady(listen))
      return
    }
    const failure = failureOf(answer)
    // Only a wire of one exchange a request can lose one and go on.
    const isOfHttp = failure !== undefined && httpStatusOf(failure) !== undefined
    const canReopen = isOfHttp && listen.state !== 'asking' && listen.losses < mostLosses
    if (canReopen && !this.#parts.readiness.failure) this.#reopen(listen)
    else this.#end(listen, failure)
  }

  #reopen(listen: Listen): void {
    const { clock } = this.#parts
    listen.state = 'lost'
    const pauseMs = Math.min(1_000 * 2 ** listen.losses, longestPauseMs)
    listen.losses += 1
    listen.pause = clock.setTimeout(() => this.#askWhenReady(listen), pauseMs)
  }

  #askWhenReady(listen: Listen): void {
    const ask = (peer: Peer) => this.#listens.has(listen.id) && this.#ask(listen, peer)
    this.#parts.readiness.whenReady().then(ask, () => {})
  }

  #withdraw({ requestId }: Listen, reason: string): void {
    const { correlator, tellCancelled } = this.#parts
    if (requestId !== undefined && correlator.forget(requestId)) tellCancelled(requestId, reason)
  }

  #end(listen: Listen, failure: McpError | undefined): void {
    if (!this.#listens.delete(listen.id)) return
    listen.deadline?.clear()
    this.#parts.clock.clearTimeout(listen.pause)
    if (listen.state !== 'asking') return this.#voice.ended(listen.id, failure)
    const unacknowledged = new TransportClosedError(
      'The server ended the subscription before it acknowledged it',
    )
    this.#voice.refused(listen.id, failure ?? unacknowledged)
  }

  #find(requestId: number): Listen | undefined {
    for (const listen of this.#listens.values()) if (listen.requestId === requestId) return listen
    return undefined
  }
}

function failureOf(answer: Answer): McpError | undefined {
  if (answer.kind === 'error') return new ProtocolError(answer.error)
  return answer.kind === 'failure' ? answer.failure : undefined
}
