import { HttpError, type McpError } from '../../errors.ts'
import type { RequestId } from '../../protocol/json-rpc.ts'
import type { Outbound } from '../transport.ts'
import { Exchange } from './exchange.ts'
import type { FollowedStream } from './followed-stream.ts'
import { withoutSecrets } from './hide-secrets.ts'
import { judgeResponse } from './judge-response.ts'
import { handleWhile, type MessageHandlers } from './message-stream.ts'
import { isResumable, postRequest } from './post-request.ts'
import { ResponseReader } from './response-reader.ts'
import { resumeStream } from './resume-stream.ts'
import { SseCursor } from './sse-cursor.ts'
import type { Traffic } from './traffic.ts'
import type { ExchangeListener, ResponseHeaders } from './wire.ts'

type Phase =
  | 'open'
  /** Its response goes on. */
  | 'answered'
  /** Its response is all there, and the answer is to come on another stream. */
  | 'ended'
  | 'over'

/** One message on its way to the server, up to its answer: in the response itself, on its stream, or on one that resumes that. */
export class Post implements ExchangeListener {
  readonly id: RequestId | undefined
  readonly #traffic: Traffic
  readonly #message: Outbound
  readonly #sessionId: string | undefined
  #onSettled: ((isAccepted: boolean) => void) | undefined
  readonly #cursor = new SseCursor()
  #exchange: Exchange | undefined
  #response: ResponseReader | undefined
  #resumption: FollowedStream | undefined
  #phase: Phase = 'open'
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
    this.#resumption?.stop()
    if (this.#phase === 'ended') return this.#over()
    if (this.#phase !== 'open') return
    this.#phase = 'answered'
    // The answer ends the stream; a server that forgets to is helped after a moment.
    if (this.#response?.isStream)
      this.#linger = this.#traffic.wire.clock.setTimeout(() => this.abandon(), lingerMs)
  }

  /** Ends it; nothing more is heard of it. */
  abandon(): void {
    this.#exchange?.abort()
    this.#resumption?.stop()
    this.#over()
  }

  head(status: number, headers: ResponseHeaders): void {
    const { maxMessageBytes } = this.#traffic.wire
    const stream = { cursor: this.#cursor, maxMessageBytes, handlers: this.#handlers() }
    this.#response = new ResponseReader(status, headers, stream)
    if (this.#response.isAccepted) {
      if (this.#message.kind === 'request' && this.#message.method === 'initialize')
        this.#traffic.adoptSession(headers['mcp-session-id'])
      this.#settle(true)
    }
    if (this.#response.willBeTooLarge) this.#tooLarge()
  }

  data(chunk: Buffer): void {
    if (!this.#response?.push(chunk)) this.#tooLarge()
  }

  end(): void {
    this.#ended()
    if (!this.#response?.isStream) return this.#judge()
    this.#response.end()
    this.#streamEnded(undefined)
  }

  failed(failure: McpError, wasRefused: boolean): void {
    this.#ended()
    if (this.#response?.isStream) this.#streamEnded(failure)
    else this.#fail(failure, wasRefused)
  }

  /** Whether somebody still waits for what comes of it. */
  get #isDue(): boolean {
    return this.#phase === 'open' || this.#phase === 'ended'
  }

  #ended(): void {
    if (this.#phase === 'open') this.#phase = 'ended'
  }

  #judge(): void {
    if (!this.#response) return
    const { wire, path, isAnsweredElsewhere } = this.#traffic
    const { address } = wire.endpoint
    const hadSession = this.#sessionId !== undefined
    const facts = { id: this.id, hadSession, isAnsweredElsewhere, address, path }
    const verdict = judgeResponse(this.#response.whole, facts)
    if (verdict.kind === 'failed') return this.#fail(verdict.failure, verdict.wasRefused)
    if (verdict.kind === 'sessionLost') {
      this.#traffic.loseSession(this.#sessionId, verdict.failure)
      return this.#fail(verdict.failure, true)
    }
    if (verdict.kind === 'message') this.#traffic.receive(verdict.message, verdict.text)
    if (this.id === undefined || !this.#isDue) return this.#over()
    if (!isAnsweredElsewhere)
      this.#fail(this.#unanswered('answered the request with something that is no answer to it'), false)
  }

  /** Without a failure: the server ended it. */
  #streamEnded(failure: McpError | undefined): void {
    if (this.#phase === 'over') return
    if (this.id === undefined || !this.#isDue) return this.#over()
    if (this.#cursor.lastEventId !== undefined && isResumable(this.#message)) return this.#resume()
    if (!this.#traffic.isAnsweredElsewhere)
      this.#fail(failure ?? this.#unanswered('ended its stream before the answer'), false)
  }

  #resume(): void {
    this.#resumption = resumeStream(
      this.#traffic,
      this.#cursor,
      this.#sessionId,
      this.#handlers(),
      (failure) => this.#fail(failure, false),
    )
  }

  #handlers(): MessageHandlers {
    return handleWhile(() => this.#phase !== 'over', {
      message: (message, text) => this.#traffic.receive(message, text),
      noise: (sample) => this.#traffic.events.noise(sample),
      oversize: () => this.#tooLarge(),
    })
  }

  #tooLarge(): void {
    if (!this.#response?.isAccepted) {
      this.#exchange?.abort()
      return this.#judge()
    }
    const isDue = this.id !== undefined && this.#isDue
    this.abandon()
    if (isDue) this.#traffic.events.oversize(this.id, this.#traffic.wire.maxMessageBytes)
  }

  #fail(failure: McpError, wasRefused: boolean): void {
    const isDue = this.#isDue
    this.abandon()
    this.#settle(false)
    if (isDue) this.#traffic.undelivered(this.#message, failure, wasRefused)
  }

  #settle(isAccepted: boolean): void {
    this.#onSettled?.(isAccepted)
    this.#onSettled = undefined
  }

  #unanswered(what: string): McpError {
    const { status = 0, text = '' } = this.#response?.whole ?? {}
    const { wire, path } = this.#traffic
    const reason = `${wire.endpoint.address} ${what}`
    return new HttpError({ status, bodyTail: withoutSecrets(text, path).slice(-1000), reason })
  }

  #over(): void {
    this.#phase = 'over'
    this.#traffic.wire.clock.clearTimeout(this.#linger)
    this.#traffic.forget(this)
  }
}

const lingerMs = 1000
