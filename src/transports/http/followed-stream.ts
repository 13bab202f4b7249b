import type { McpError } from '../../errors.ts'
import { Exchange } from './exchange.ts'
import { explainStatus } from './explain-status.ts'
import { handleWhile, type MessageHandlers } from './message-stream.ts'
import type { Message } from './parse-message.ts'
import { ReconnectDelay } from './reconnect-delay.ts'
import type { FlatHeaders } from './request-headers.ts'
import { ResponseReader } from './response-reader.ts'
import type { SseCursor } from './sse-cursor.ts'
import type { ExchangeListener, HttpRequest, ResponseHeaders, Wire } from './wire.ts'

export interface StreamHandlers extends MessageHandlers {
  opened?(): void
  /** It ended or could not be reached; it is opened again after a pause. */
  waiting?(): void
  /** It will not come (back). `status` is 0 when nobody answered. */
  gaveUp(failure: McpError, status: number): void
}

export interface StreamRequest {
  readonly path: string
  /** Of each attempt, without `accept` and `last-event-id`. */
  readonly headers: FlatHeaders
  readonly lane: HttpRequest['lane']
  readonly idleTimeoutMs: number
  /** Whether a server need not offer it: then any status but 200 is final as long as it was never open. */
  readonly isOptional: boolean
}

/** An event stream that is opened by GET, and opened again where it broke, for as long as the server lets it. */
export class FollowedStream implements ExchangeListener {
  readonly #wire: Wire
  readonly #request: StreamRequest
  readonly #cursor: SseCursor
  readonly #handlers: StreamHandlers
  readonly #delay: ReconnectDelay
  #exchange: Exchange | undefined
  #response: ResponseReader | undefined
  #timer: unknown
  #openedAt: number | undefined
  #hadMessage = false
  #isStopped = false

  constructor(wire: Wire, request: StreamRequest, cursor: SseCursor, handlers: StreamHandlers) {
    this.#wire = wire
    this.#request = request
    this.#cursor = cursor
    this.#handlers = handlers
    this.#delay = new ReconnectDelay(!request.isOptional)
  }

  /** Opens it now. */
  open(): void {
    this.#response = undefined
    const { path, lane, idleTimeoutMs } = this.#request
    const { lastEventId } = this.#cursor
    const resume = lastEventId === undefined ? [] : ['last-event-id', lastEventId]
    const headers = ['accept', 'text/event-stream', ...this.#request.headers, ...resume]
    const get = { method: 'GET', path, headers, lane, isRepeatable: true, idleTimeoutMs } as const
    this.#exchange = new Exchange(this.#wire, get, this).start()
  }

  /** Opens it after the pause the server asked for. */
  reopen(): void {
    if (this.#isStopped) return
    this.#handlers.waiting?.()
    this.#timer = this.#wire.clock.setTimeout(() => this.open(), this.#delay.next(this.#cursor.retryMs))
  }

  stop(): void {
    this.#isStopped = true
    this.#wire.clock.clearTimeout(this.#timer)
    this.#exchange?.abort()
  }

  head(status: number, headers: ResponseHeaders): void {
    const { maxMessageBytes } = this.#wire
    const stream = { cursor: this.#cursor, maxMessageBytes, handlers: this.#messageHandlers() }
    this.#response = new ResponseReader(status, headers, stream)
    if (!this.#response.isStream) return
    this.#openedAt = this.#wire.clock.now()
    this.#hadMessage = false
    this.#delay.opened()
    this.#handlers.opened?.()
  }

  data(chunk: Buffer): void {
    if (this.#response?.push(chunk)) return
    this.#exchange?.abort()
    this.end()
  }

  end(): void {
    this.#response?.end()
    if (this.#response?.isStream) return this.#streamEnded()
    const { status, headers, text } = this.#response?.whole ?? nothing
    const { address } = this.#wire.endpoint
    const failure = explainStatus({ status, headers, text }, address, this.#request.path)
    const mayPass = status >= 500 || passing.has(status)
    const isFinal = !mayPass || (this.#request.isOptional && this.#openedAt === undefined)
    this.#attemptFailed(failure, isFinal, status)
  }

  failed(failure: McpError): void {
    if (this.#response?.isStream) this.#streamEnded()
    else this.#attemptFailed(failure, false, 0)
  }

  #messageHandlers(): MessageHandlers {
    const { message, noise, oversize } = this.#handlers
    const noted = (value: Message, text: string): void => {
      this.#hadMessage = true
      message(value, text)
    }
    return handleWhile(() => !this.#isStopped, { message: noted, noise, oversize })
  }

  #streamEnded(): void {
    const livedMs = this.#wire.clock.now() - (this.#openedAt ?? 0)
    this.#delay.ended(this.#hadMessage, livedMs)
    this.reopen()
  }

  #attemptFailed(failure: McpError, isFinal: boolean, status: number): void {
    this.#delay.failed()
    if (isFinal || this.#delay.failures >= maxFailures) this.#handlers.gaveUp(failure, status)
    else this.reopen()
  }
}

const maxFailures = 5
/** Statuses that say: not now. 409: the server has not noticed yet that the stream before this one broke. */
const passing = new Set([408, 409, 425, 429])
const nothing = { status: 0, headers: {}, text: '' }
