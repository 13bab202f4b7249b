import { randomUUID } from 'node:crypto'
import type { Inbound, JsonObject, RequestId } from '../../../protocol/json-rpc.ts'
import { notificationText } from '../../../protocol/requests.ts'
import type { Cancellation } from '../../dispatch/cancellation.ts'
import type { Dispatcher, IncomingRequest } from '../../dispatch/dispatcher.ts'
import { LegacySession } from '../../dispatch/legacy-session.ts'
import { invalidReply, type Reply } from '../../dispatch/reply.ts'
import { OpenPushes } from '../../input/open-pushes.ts'
import { AnswerStream, events } from '../answer-stream.ts'
import type { Identity } from '../authorization/identify.ts'
import type { KeepAlives } from '../keep-alives.ts'
import type { UnderWay } from '../under-way.ts'
import type { HttpResponse } from '../wire.ts'
import type { EventStore } from './event-store.ts'
import { eventText, Journal } from './journal.ts'

export interface HttpSessionParts {
  readonly dispatcher: Dispatcher
  readonly underWay: UnderWay
  readonly keepAlives: KeepAlives
  readonly retryMs: number
  /** Without one, a lost stream is lost. */
  readonly eventStore: EventStore | undefined
  readonly onStoreFailure: (error: unknown) => void
}

interface OpenRequest {
  readonly cancellation: Cancellation
  readonly settle: (reply: Reply | undefined) => void
}

/** One legacy client on HTTP: what was agreed with it, what it waits for, and the streams it may hold open. */
export class HttpSession {
  readonly id = randomUUID()
  readonly principal: string | undefined
  readonly #parts: HttpSessionParts
  readonly #session = new LegacySession()
  readonly #open = new Map<RequestId, OpenRequest>()
  readonly #pushes = new OpenPushes()
  readonly #unfollow: () => void
  readonly #streams = new Set<AnswerStream>()
  #standing: AnswerStream | undefined
  #nextStream = 1

  constructor(parts: HttpSessionParts, principal: string | undefined) {
    this.#parts = parts
    this.principal = principal
    this.#unfollow = parts.dispatcher.follow(this.#session, (method, params) =>
      this.#standing?.notify(notificationText(method, params)),
    )
  }

  get protocolVersion(): string {
    return this.#session.caller.protocolVersion
  }

  get isResumable(): boolean {
    return this.#parts.eventStore !== undefined
  }

  /** Whether its client is connected at the moment. */
  get isConnected(): boolean {
    return [...this.#streams].some((stream) => stream.isConnected)
  }

  /** Where what belongs to one POST goes. */
  openStream(response: HttpResponse, takesEvents: boolean): AnswerStream {
    const stream = new AnswerStream(response, takesEvents, this.#parts.keepAlives, this.#journal())
    this.#streams.add(stream)
    response.onLeft(() => stream.leave(response))
    return stream
  }

  closeStream(stream: AnswerStream): void {
    this.#streams.delete(stream)
  }

  /**
   * What comes before the answer goes on the stream of the request. Undefined when the client took the request back, or the session
   * ended: nobody waits for the handler then.
   */
  async answer(
    request: IncomingRequest,
    stream: AnswerStream,
    identity: Identity | undefined,
  ): Promise<Reply | undefined> {
    const { id } = request
    if (this.#open.has(id)) return invalidReply(id, 'a request with this id is still open')
    const { underWay, dispatcher } = this.#parts
    const cancellation = underWay.begin()
    const push = (method: string, params: JsonObject) =>
      this.#pushes.push(method, params, (text) => stream.send(text), cancellation)
    const exchange = {
      cancellation,
      ...identity,
      notify: (method: string, params: JsonObject) => stream.notify(notificationText(method, params)),
      ...(stream.takesEvents && { push }),
      disconnect: () => stream.disconnect(),
      onStop: () => {},
    }
    return new Promise((resolve) => {
      this.#open.set(id, { cancellation, settle: resolve })
      void dispatcher.legacy(request, exchange, this.#session).then((reply) => {
        if (!cancellation.isAborted) this.#settle(id, reply)
      })
    })
  }

  receive(inbound: Exclude<Inbound, { kind: 'request' | 'invalid' }>): void {
    if (inbound.kind !== 'notification') return this.#pushes.receive(inbound)
    if (inbound.method === 'notifications/initialized') this.#session.confirm()
    if (inbound.method === 'notifications/cancelled')
      this.#giveUp(inbound.params.requestId as RequestId, 'the client cancelled')
  }

  /** Opens the stream for what belongs to no request. False when it is open: each message goes out on one stream only. */
  stand(response: HttpResponse, identity?: Identity): boolean {
    if (this.#standing?.isConnected) return false
    if (this.#standing) this.closeStream(this.#standing)
    const stream = this.openStream(response, true)
    this.#standing = stream
    stream.begin()
    stream.dropWith(identity)
    return true
  }

  /** Says again what a lost connection missed, and goes on where it broke off. False when nothing is known of the event. */
  async resume(lastEventId: string, response: HttpResponse, identity?: Identity): Promise<boolean> {
    const { eventStore: store } = this.#parts
    if (!store || !(await store.after(this.id, lastEventId))) return false
    const stream = [...this.#streams].find(({ journal }) => lastEventId.startsWith(`${journal?.stream}-`))
    response.begin(200, events)
    try {
      await this.#replay(store, lastEventId, stream?.journal, response)
    } catch (error) {
      this.#parts.onStoreFailure(error)
      response.end()
      return true
    }
    if (stream && !stream.isOver) this.#connect(stream, response, identity)
    else response.end()
    return true
  }

  /** Ends the stream for what belongs to no request. */
  stopListening(): void {
    this.#standing?.cut()
  }

  end(): void {
    this.#unfollow()
    for (const id of [...this.#open.keys()]) this.#giveUp(id, 'the session ended')
    for (const stream of this.#streams) stream.cut()
    this.#streams.clear()
    void this.#forget()
  }

  async #replay(
    store: EventStore,
    lastEventId: string,
    journal: Journal | undefined,
    response: HttpResponse,
  ): Promise<void> {
    let last = lastEventId
    let known: string | undefined
    // Once more, if something was said while the store was asked.
    do {
      known = journal?.lastId
      await journal?.settled()
      const missed = (await store.after(this.id, last)) ?? []
      for (const event of missed) response.write(eventText(event))
      last = missed.at(-1)?.id ?? last
    } while (journal?.lastId !== known)
  }

  async #forget(): Promise<void> {
    try {
      await this.#parts.eventStore?.forget(this.id)
    } catch (error) {
      this.#parts.onStoreFailure(error)
    }
  }

  #connect(stream: AnswerStream, response: HttpResponse, identity: Identity | undefined): void {
    stream.attach(response)
    stream.dropWith(identity)
    response.onLeft(() => stream.leave(response))
  }

  #giveUp(id: RequestId, reason: string): void {
    this.#open.get(id)?.cancellation.abort(new Error(reason))
    this.#settle(id, undefined)
  }

  #settle(id: RequestId, reply: Reply | undefined): void {
    const open = this.#open.get(id)
    if (!open) return
    this.#open.delete(id)
    this.#parts.underWay.end(open.cancellation)
    open.settle(reply)
  }

  #journal(): Journal | undefined {
    const { eventStore: store, retryMs, onStoreFailure: onFailure } = this.#parts
    const isPolled = this.protocolVersion >= '2025-11-25'
    const stream = String(this.#nextStream++)
    return store && new Journal({ sessionId: this.id, stream, store, retryMs, isPolled, onFailure })
  }
}
