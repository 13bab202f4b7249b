import { ProtocolError } from '../../errors.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import { classify, type Inbound, isObject, type JsonObject, type RequestId } from '../../protocol/json-rpc.ts'
import { parseMessage } from '../../protocol/parse-message.ts'
import { notificationText } from '../../protocol/requests.ts'
import { batchText, readBatch } from '../dispatch/batch.ts'
import { Cancellation } from '../dispatch/cancellation.ts'
import type { Dispatcher, IncomingRequest } from '../dispatch/dispatcher.ts'
import type { Exchange } from '../dispatch/exchange.ts'
import { LegacySession } from '../dispatch/legacy-session.ts'
import { errorReply, invalidReply } from '../dispatch/reply.ts'
import { OpenPushes } from '../input/open-pushes.ts'

/** Where messages to a client go, as JSON text. */
export interface Messages {
  send(text: string): void
  /** One that may be lost when too much waits to be read. */
  mention(text: string): void
}

/**
 * One client on a wire of messages, a pipe or one of your own: its messages in, ours out, both eras. What cannot be read is answered, and
 * the conversation goes on. When the client has left, `abort` it.
 */
export class Conversation {
  readonly #dispatcher: Dispatcher
  readonly #messages: Messages
  readonly #session = new LegacySession()
  readonly #open = new Map<RequestId, Cancellation>()
  readonly #pushes = new OpenPushes()
  readonly #unfollow: () => void
  readonly #stoppers = new Map<RequestId, () => void>()
  #onSettled: (() => void) | undefined

  constructor(dispatcher: Dispatcher, messages: Messages) {
    this.#dispatcher = dispatcher
    this.#messages = messages
    this.#unfollow = dispatcher.follow(this.#session, (method, params) =>
      messages.mention(notificationText(method, params)),
    )
  }

  /** One message of the client's, as it came. */
  receive(text: string): void {
    if (text.trim() === '') return
    const parsed = parseMessage(text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text)
    if (parsed.kind === 'noise') return this.#refuse(undefined, ErrorCode.ParseError, 'This is no JSON')
    if (parsed.kind === 'refused')
      return this.#refuse(undefined, ErrorCode.InvalidRequest, `The message was not read: ${parsed.reason}`)
    const { message } = parsed
    if (!isObject(message)) return this.#batch(message as readonly unknown[])
    const answered = this.#serve(classify(message))
    if (answered instanceof Promise) void answered.then((reply) => this.#send(reply))
    else this.#send(answered)
  }

  refuseLarge(id: RequestId | undefined, maxMessageBytes: number): void {
    this.#refuse(id, ErrorCode.InvalidRequest, `The message is larger than ${maxMessageBytes} bytes`)
  }

  /** Nothing more will be asked: what lasts comes to its end. */
  stop(): void {
    this.#unfollow()
    for (const stop of [...this.#stoppers.values()]) stop()
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    if (this.#open.size > 0)
      await new Promise<void>((resolve) => {
        this.#onSettled = resolve
      })
  }

  /** Gives up what is under way. */
  abort(): void {
    this.stop()
    for (const id of [...this.#open.keys()]) this.#cancel(id, 'the client left')
    this.#dispatcher.left(this.#session)
  }

  /** The text of the answer; nothing where none is due. */
  #serve(inbound: Inbound): Promise<string | undefined> | string | undefined {
    switch (inbound.kind) {
      case 'request':
        return this.#answer(inbound)
      case 'notification':
        return this.#hear(inbound.method, inbound.params)
      case 'invalid':
        return invalidReply(inbound.id, inbound.reason).text
      case 'result':
      case 'error':
        this.#pushes.receive(inbound)
        return undefined
    }
  }

  async #answer(request: IncomingRequest): Promise<string | undefined> {
    const { id } = request
    if (this.#open.has(id)) return invalidReply(id, 'a request with this id is still open').text
    if (this.#open.size >= mostOpen) return invalidReply(id, `${mostOpen} requests are open already`).text
    const cancellation = new Cancellation()
    this.#open.set(id, cancellation)
    const notify = (method: string, params: JsonObject) => {
      if (!cancellation.isAborted && this.#open.get(id) === cancellation)
        this.#messages.mention(notificationText(method, params))
    }
    const ask = (text: string) => {
      this.#messages.send(text)
      return true
    }
    const exchange: Exchange = {
      cancellation,
      client: this.#session,
      notify,
      push: (method, params) => this.#pushes.push(method, params, ask, cancellation),
      onStop: (listener) => this.#stoppers.set(id, listener),
    }
    const { text } = await this.#dispatcher.answer(request, exchange, this.#session)
    if (cancellation.isAborted) return undefined
    this.#close(id)
    return text
  }

  #hear(method: string, params: JsonObject): undefined {
    const { requestId, reason } = params
    if (method === 'notifications/initialized') this.#session.confirm()
    else if (method === 'notifications/cancelled') this.#cancel(requestId as RequestId, reason)
  }

  #cancel(id: RequestId, reason: unknown): void {
    this.#open.get(id)?.abort(new Error(typeof reason === 'string' ? reason : 'the client cancelled'))
    this.#close(id)
  }

  #close(id: RequestId): void {
    this.#open.delete(id)
    this.#stoppers.delete(id)
    if (this.#open.size === 0) this.#onSettled?.()
  }

  /** Only 2025-03-26 has batches. */
  #batch(messages: readonly unknown[]): void {
    const isSpoken = this.#session.caller.protocolVersion === '2025-03-26'
    const batch = isSpoken ? readBatch(messages) : undefined
    if (!batch)
      return this.#refuse(
        undefined,
        ErrorCode.InvalidRequest,
        'Batches are not taken: send one message a line',
      )
    void Promise.all(batch.map((one) => this.#serve(one))).then((replies) => {
      const texts = replies.filter((reply) => reply !== undefined)
      if (texts.length > 0) this.#messages.send(batchText(texts))
    })
  }

  #send(text: string | undefined): void {
    if (text !== undefined) this.#messages.send(text)
  }

  #refuse(id: RequestId | undefined, code: number, message: string): void {
    this.#messages.send(errorReply(id, new ProtocolError({ code, message })).text)
  }
}

/** Nobody waits for as many: a client that asks on and on must not fill the memory. */
const mostOpen = 10_000
const byteOrderMark = 0xfeff
