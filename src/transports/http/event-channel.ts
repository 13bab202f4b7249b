import { HttpError, type McpError } from '../../errors.ts'
import { Exchange } from './exchange.ts'
import { explainStatus } from './explain-status.ts'
import { handleWhile } from './message-stream.ts'
import type { Message } from './parse-message.ts'
import { ResponseReader } from './response-reader.ts'
import { SseCursor } from './sse-cursor.ts'
import type { ExchangeListener, ResponseHeaders, Wire } from './wire.ts'

export interface ChannelHandlers {
  /** Where messages are to be posted; comes first, once. */
  endpoint(path: string): void
  message(message: Message, text: string): void
  noise(sample: string): void
  oversize(): void
  /** It ended, or never was what it should be. Nothing comes after it. */
  lost(failure: McpError): void
}

/** The stream of the HTTP+SSE wire (2024-11-05): it says where to post, and every answer comes on it. It cannot be resumed. */
export class EventChannel implements ExchangeListener {
  readonly #wire: Wire
  readonly #handlers: ChannelHandlers
  readonly #exchange: Exchange
  #response: ResponseReader | undefined
  #hasEndpoint = false
  #isOver = false

  constructor(wire: Wire, handlers: ChannelHandlers) {
    this.#wire = wire
    this.#handlers = handlers
    const { path } = wire.endpoint
    const headers = ['accept', 'text/event-stream']
    const get = {
      method: 'GET',
      path,
      headers,
      lane: 'control',
      isRepeatable: true,
      idleTimeoutMs: 0,
    } as const
    this.#exchange = new Exchange(wire, get, this)
  }

  open(): void {
    this.#exchange.start()
  }

  close(): void {
    this.#isOver = true
    this.#exchange.abort()
  }

  head(status: number, headers: ResponseHeaders): void {
    const { message, noise, oversize } = this.#handlers
    const other = (type: string, data: string): void => {
      if (type === 'endpoint' && !this.#hasEndpoint) this.#named(data)
    }
    const handlers = handleWhile(() => !this.#isOver, { message, noise, oversize, other })
    const { maxMessageBytes } = this.#wire
    this.#response = new ResponseReader(status, headers, {
      cursor: new SseCursor(),
      maxMessageBytes,
      handlers,
    })
  }

  data(chunk: Buffer): void {
    if (!this.#response?.push(chunk)) this.end()
  }

  end(): void {
    if (!this.#response?.isStream) return this.#refused()
    const what = this.#hasEndpoint ? 'ended' : 'ended before it named its endpoint'
    this.#lost(this.#failure(`its event stream ${what}`))
  }

  failed(failure: McpError): void {
    this.#lost(failure)
  }

  #named(data: string): void {
    const { origin, path } = this.#wire.endpoint
    const url = URL.canParse(data, origin + path) ? new URL(data, origin + path) : undefined
    if (url?.origin !== origin) {
      const place = !url ? 'no URL' : url.origin === 'null' ? url.protocol : url.origin
      return this.#lost(this.#failure(`it wants messages sent to ${place}, which is not its own origin`))
    }
    this.#hasEndpoint = true
    this.#handlers.endpoint(url.pathname + url.search)
  }

  #refused(): void {
    const { status = 0, headers = {}, text = '' } = this.#response?.whole ?? {}
    const { address, path } = this.#wire.endpoint
    this.#lost(explainStatus({ status, headers, text }, address, path))
  }

  #failure(what: string): McpError {
    return new HttpError({ status: 200, reason: `${this.#wire.endpoint.address}: ${what}` })
  }

  #lost(failure: McpError): void {
    if (this.#isOver) return
    this.close()
    this.#handlers.lost(failure)
  }
}
