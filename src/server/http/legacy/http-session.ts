import { randomUUID } from 'node:crypto'
import type { Inbound, JsonObject, RequestId } from '../../../protocol/json-rpc.ts'
import { notificationText } from '../../../protocol/requests.ts'
import { Cancellation } from '../../dispatch/cancellation.ts'
import type { Dispatcher, IncomingRequest } from '../../dispatch/dispatcher.ts'
import { LegacySession } from '../../dispatch/legacy-session.ts'
import type { Reply } from '../../dispatch/reply.ts'
import { OpenPushes } from '../../input/open-pushes.ts'
import type { AnswerStream } from '../answer-stream.ts'
import type { Identity } from '../authorization/identify.ts'
import type { StandingStream } from './standing-stream.ts'

/** One legacy client on HTTP: what was agreed with it, what it waits for, and the stream it may hold open. */
export class HttpSession {
  readonly id = randomUUID()
  readonly principal: string | undefined
  readonly #dispatcher: Dispatcher
  readonly #session = new LegacySession()
  readonly #open = new Map<RequestId, Cancellation>()
  readonly #pushes = new OpenPushes()
  readonly #unfollow: () => void
  #standing: StandingStream | undefined

  constructor(dispatcher: Dispatcher, principal: string | undefined) {
    this.principal = principal
    this.#dispatcher = dispatcher
    this.#unfollow = dispatcher.follow(this.#session, (method, params) =>
      this.#standing?.notify(notificationText(method, params)),
    )
  }

  get protocolVersion(): string {
    return this.#session.caller.protocolVersion
  }

  /** What comes before the answer goes on the stream of the request; undefined when the client took the request back. */
  async answer(
    request: IncomingRequest,
    stream: AnswerStream,
    identity: Identity | undefined,
  ): Promise<Reply | undefined> {
    const cancellation = new Cancellation()
    this.#open.set(request.id, cancellation)
    const push = (method: string, params: JsonObject) =>
      this.#pushes.push(method, params, (text) => stream.send(text), cancellation)
    const exchange = {
      cancellation,
      ...identity,
      notify: (method: string, params: JsonObject) => stream.notify(notificationText(method, params)),
      ...(stream.takesEvents && { push }),
      onStop: () => {},
    }
    const reply = await this.#dispatcher.legacy(request, exchange, this.#session)
    if (this.#open.get(request.id) === cancellation) this.#open.delete(request.id)
    return cancellation.isAborted ? undefined : reply
  }

  receive(inbound: Exclude<Inbound, { kind: 'request' | 'invalid' }>): void {
    if (inbound.kind !== 'notification') return this.#pushes.receive(inbound)
    if (inbound.method === 'notifications/initialized') this.#session.confirm()
    if (inbound.method !== 'notifications/cancelled') return
    this.#open.get(inbound.params.requestId as RequestId)?.abort(new Error('the client cancelled'))
  }

  /** False when it holds one already: each message goes out on one stream only (G-06). */
  stand(open: () => StandingStream): boolean {
    if (this.#standing) return false
    this.#standing = open()
    return true
  }

  leaveStanding(): void {
    this.#standing?.leave()
    this.#standing = undefined
  }

  end(): void {
    this.#unfollow()
    this.#standing?.end()
    this.#standing = undefined
    for (const cancellation of this.#open.values()) cancellation.abort(new Error('the session ended'))
    this.#open.clear()
  }
}
