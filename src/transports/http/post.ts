import { HttpError, type McpError } from '../../errors.ts'
import type { RequestId } from '../../protocol/json-rpc.ts'
import type { Outbound } from '../transport.ts'
import { BodyBuffer } from './body-buffer.ts'
import { isEventStream } from './content-type.ts'
import { Exchange, type ExchangeListener, type ResponseHeaders } from './exchange.ts'
import { FollowedStream } from './followed-stream.ts'
import { judgeResponse } from './judge-response.ts'
import { type MessageHandlers, readMessageStream } from './message-stream.ts'
import { postRequest } from './post-request.ts'
import type { EventReader } from './read-events.ts'
import { SseCursor } from './sse-cursor.ts'
import type { Traffic } from './traffic.ts'

/** One message on its way to the server, up to its answer: in the response itself, on its stream, or on one that resumes that. */
export class Post implements ExchangeListener {
  readonly id: RequestId | undefined
  readonly #traffic: Traffic
  readonly #message: Outbound
  readonly #sessionId: string | undefined
  readonly #onSettled: ((isAccepted: boolean) => void) | undefined
  readonly #cursor = new SseCursor()
  #exchange: Exchange | undefined
  #status = 0
  #headers: ResponseHeaders = {}
  #reader: EventReader | undefined
  #body: BodyBuffer | undefined
  #resumption: FollowedStream | undefined
  #isAnswered = false
  #hasEnded = false
  #isOver = false
  #linger: unknown

  /** `onSettled` hears once whether the server took the message. */
  constructor(traffic: Traffic, message: Outbound, onSettled?: (isAccepted: boolean) => void) {
    this.id = message.kind === 'request' ? message.id : undefined
    this.#traffic = traffic
    this.#message = message
    this.#sessionId = traffic.session.id
    this.#onSettled = onSettled
  }

  start(): void {
    this.#exchange = new Exchange(this.#traffic.wire, postRequest(this.#traffic, this.#message), this).start()
  }

  /** Its answer is here, on whichever stream. */
  answered(): void {
    this.#isAnswered = true
    this.#resumption?.stop()
    if (this.#hasEnded) return this.#over()
    // The answer ends the stream; a server that forgets to is helped after a moment.
    if (this.#reader) this.#linger = this.#traffic.wire.clock.setTimeout(() => this.abandon(), lingerMs)
  }

  /** Ends it; nothing more is heard of it. */
  abandon(): void {
    this.#exchange?.abort()
    this.#resumption?.stop()
    this.#over()
  }

  head(status: number, headers: ResponseHeaders): void {
    this.#status = status
    this.#headers = headers
    const { wire } = this.#traffic
    if (this.#isAccepted) {
      if (this.#message.kind === 'request' && this.#message.method === 'initialize')
        this.#traffic.adoptSession(headers['mcp-session-id'])
      this.#onSettled?.(true)
      if (isEventStream(headers)) {
        this.#reader = readMessageStream(this.#cursor, wire.maxMessageBytes, this.#streamHandlers())
        return
      }
    }
    this.#body = new BodyBuffer(Math.min(wire.maxMessageBytes, this.#isAccepted ? Infinity : maxRefusalBytes))
    if (!this.#body.fits(headers['content-length'])) this.#tooLarge()
  }

  data(chunk: Buffer): void {
    if (this.#reader) this.#reader.push(chunk)
    else if (!this.#body?.push(chunk)) this.#tooLarge()
  }

  end(): void {
    this.#hasEnded = true
    if (!this.#reader) return this.#judge()
    this.#reader.end()
    this.#streamEnded(undefined)
  }

  failed(failure: McpError, wasRefused: boolean): void {
    this.#hasEnded = true
    if (this.#reader) this.#streamEnded(failure)
    else this.#fail(failure, wasRefused)
  }

  get #isAccepted(): boolean {
    return this.#status >= 200 && this.#status < 300
  }

  #judge(): void {
    const { wire, path, isAnsweredElsewhere } = this.#traffic
    const response = { status: this.#status, headers: this.#headers, text: this.#body?.text() ?? '' }
    const { address } = wire.endpoint
    const hadSession = this.#sessionId !== undefined
    const verdict = judgeResponse(response, { id: this.id, hadSession, isAnsweredElsewhere, address, path })
    if (verdict.kind === 'failed') return this.#fail(verdict.failure, verdict.wasRefused)
    if (verdict.kind === 'sessionLost') {
      this.#traffic.loseSession(this.#sessionId)
      return this.#fail(verdict.failure, true)
    }
    if (verdict.kind === 'message') this.#traffic.receive(verdict.message, verdict.text)
    if (this.id === undefined || this.#isAnswered) return this.#over()
    if (isAnsweredElsewhere) return
    this.#fail(this.#unanswered('answered the request with something that is no answer to it'), false)
  }

  /** Without a failure: the server ended it. */
  #streamEnded(failure: McpError | undefined): void {
    const { isAnsweredElsewhere } = this.#traffic
    if (this.id === undefined || this.#isAnswered) return this.#over()
    if (this.#cursor.lastEventId !== undefined) return this.#resume()
    if (!isAnsweredElsewhere)
      this.#fail(failure ?? this.#unanswered('ended its stream before the answer'), false)
  }

  #resume(): void {
    const { wire, session, path } = this.#traffic
    const headers = session.headers
    const request = { path, headers, idleTimeoutMs: wire.idleTimeoutMs, isOptional: false }
    this.#resumption = new FollowedStream(wire, request, this.#cursor, {
      ...this.#streamHandlers(),
      gaveUp: (failure, status) => {
        if (status === 404) this.#traffic.loseSession(this.#sessionId)
        this.#fail(failure, false)
      },
    })
    this.#resumption.reopen()
  }

  #streamHandlers(): MessageHandlers {
    const { events } = this.#traffic
    // One chunk may hold more messages than are still wanted after the first.
    return {
      message: (message, text) => this.#isOver || this.#traffic.receive(message, text),
      noise: (sample) => this.#isOver || events.noise(sample),
      oversize: () => this.#isOver || this.#tooLarge(),
    }
  }

  #tooLarge(): void {
    if (!this.#isAccepted) {
      this.#exchange?.abort()
      return this.#judge()
    }
    const { events, wire } = this.#traffic
    const { id } = this
    const isDue = id !== undefined && !this.#isAnswered
    this.abandon()
    if (isDue) events.oversize(id, wire.maxMessageBytes)
  }

  #fail(failure: McpError, wasRefused: boolean): void {
    this.#onSettled?.(false)
    const isDue = !this.#isAnswered
    this.abandon()
    if (isDue) this.#traffic.undelivered(this.#message, failure, wasRefused)
  }

  #unanswered(what: string): McpError {
    const { address } = this.#traffic.wire.endpoint
    return new HttpError({ status: this.#status, reason: `${address} ${what}` })
  }

  #over(): void {
    this.#isOver = true
    this.#traffic.wire.clock.clearTimeout(this.#linger)
    this.#traffic.forget(this)
  }
}

/** What comes with a refusal is an error: a larger one is a page, of which the end is shown. */
const maxRefusalBytes = 1024 * 1024
const lingerMs = 1000
