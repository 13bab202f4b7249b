import type { McpError } from '../../errors.ts'
import { BodyBuffer } from './body-buffer.ts'
import { isEventStream } from './content-type.ts'
import { Exchange, type ExchangeListener, type ResponseHeaders } from './exchange.ts'
import { explainStatus } from './explain-status.ts'
import { type MessageHandlers, readMessageStream } from './message-stream.ts'
import type { EventReader } from './read-events.ts'
import { ReconnectDelay } from './reconnect-delay.ts'
import type { FlatHeaders } from './request-headers.ts'
import type { SseCursor } from './sse-cursor.ts'
import type { Wire } from './wire.ts'

export interface StreamHandlers extends MessageHandlers {
  opened?(): void
  /** It ended or could not be reached; it is opened again after a pause. */
  waiting?(): void
  /** It will not come (back). `text` is what a server said that refused it. */
  gaveUp(failure: McpError, status: number, text: string): void
}

export interface StreamRequest {
  readonly path: string
  /** Of each attempt, without `accept` and `last-event-id`. */
  readonly headers: FlatHeaders
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
  #reader: EventReader | undefined
  #refusal: { status: number; headers: ResponseHeaders; body: BodyBuffer } | undefined
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
    this.#reader = undefined
    this.#refusal = undefined
    const { path, idleTimeoutMs } = this.#request
    const { lastEventId } = this.#cursor
    const resume = lastEventId === undefined ? [] : ['last-event-id', lastEventId]
    const headers = ['accept', 'text/event-stream', ...this.#request.headers, ...resume]
    const get = { method: 'GET', path, headers, lane: 'control', isRepeatable: true, idleTimeoutMs } as const
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
    if (status !== 200 || !isEventStream(headers)) {
      this.#refusal = { status, headers, body: new BodyBuffer(maxRefusalBytes) }
      return
    }
    this.#openedAt = this.#wire.clock.now()
    this.#hadMessage = false
    this.#delay.opened()
    this.#reader = readMessageStream(this.#cursor, this.#wire.maxMessageBytes, {
      ...this.#handlers,
      message: (message, text) => {
        this.#hadMessage = true
        this.#handlers.message(message, text)
      },
    })
    this.#handlers.opened?.()
  }

  data(chunk: Buffer): void {
    this.#reader?.push(chunk)
    if (!this.#refusal || this.#refusal.body.push(chunk)) return
    this.#exchange?.abort()
    this.end()
  }

  end(): void {
    if (this.#reader) {
      this.#reader.end()
      return this.#streamEnded()
    }
    const { status, headers, body } = this.#refusal ?? noRefusal
    const text = body.text()
    const failure = explainStatus({ status, headers, text }, this.#wire.endpoint.address, this.#request.path)
    const mayPass = status >= 500 || passing.has(status)
    this.#attemptFailed(
      failure,
      !mayPass || (this.#request.isOptional && this.#openedAt === undefined),
      status,
      text,
    )
  }

  failed(failure: McpError): void {
    if (this.#reader) this.#streamEnded()
    else this.#attemptFailed(failure, false, 0, '')
  }

  #streamEnded(): void {
    const livedMs = this.#wire.clock.now() - (this.#openedAt ?? 0)
    this.#delay.ended(this.#hadMessage, livedMs)
    this.reopen()
  }

  #attemptFailed(failure: McpError, isFinal: boolean, status: number, text: string): void {
    this.#delay.failed()
    if (isFinal || this.#delay.failures >= maxFailures) this.#handlers.gaveUp(failure, status, text)
    else this.reopen()
  }
}

const maxFailures = 5
/** A refusal is read for what it says, not for what it holds. */
const maxRefusalBytes = 64 * 1024
/** Statuses that say: not now. */
const passing = new Set([408, 425, 429])
const noRefusal = { status: 0, headers: {}, body: new BodyBuffer(0) }
