import { type Clock, systemClock } from '../../clock.ts'
import { type McpError, TransportClosedError } from '../../errors.ts'
import type { RequestId } from '../../protocol/json-rpc.ts'
import { secretsOf } from '../secrets-of.ts'
import type { Outbound, Transport, TransportEvents } from '../transport.ts'
import { Authorization } from './authorization.ts'
import { Conversation } from './conversation.ts'
import { endSession } from './end-session.ts'
import { parseEndpoint } from './endpoint.ts'
import type { EventChannel } from './event-channel.ts'
import { type HttpHooks, type HttpOptions, withDefaults } from './http-options.ts'
import { openChannel } from './open-channel.ts'
import { Reading } from './reading.ts'
import { RequestHeaders } from './request-headers.ts'
import { describeTarget } from './target.ts'
import type { Wire } from './wire.ts'

export type { Credentials, CredentialsDesk, CredentialsRequest, Refusal } from './credentials.ts'
export type { HttpHooks, HttpOptions } from './http-options.ts'

/** What exists between `open` and the end. */
interface Opened {
  readonly wire: Wire
  readonly events: TransportEvents
  readonly conversation: Conversation
}

/**
 * A server on a URL: one POST a message, answered by JSON or an event stream. It has no death of its own; each request fails by
 * itself. The session, the server's own stream and resumption, which only legacy servers have, are used where a server offers them.
 *
 * At most 256 requests are under way at once, on a connection each; more wait for their turn. The handshake, `ping`, what cancels,
 * notifications and answers to the server share 32 connections of their own, so that they never wait behind a call. Of a server
 * that takes no answers, at most 1024 are kept waiting; any more is dropped and reported as noise.
 */
export class HttpTransport implements Transport {
  /** The URL without credentials and query; what looks like a secret in its path is masked. */
  readonly target: string
  readonly secrets: readonly string[]
  readonly carriesHeaders = true
  readonly getsCredentials: boolean
  readonly #options: Required<HttpOptions>
  readonly #hooks: HttpHooks
  readonly #clock: Clock
  readonly #closing = new AbortController()
  #isOpened = false
  #opened: Opened | undefined
  #channel: EventChannel | undefined
  #ended: Promise<void> | undefined

  constructor(options: HttpOptions, hooks: HttpHooks = {}, clock: Clock = systemClock) {
    this.#options = withDefaults(options)
    this.#hooks = hooks
    this.#clock = clock
    this.target = describeTarget(options.url)
    this.secrets = secretsOf(options)
    this.getsCredentials = hooks.credentials !== undefined
  }

  /**
   * Makes no request. A failed attempt is reported by the rejection alone, never by `closed`.
   * @throws ConfigError for a bad URL, header or proxy variable; TransportClosedError when aborted, closed or opened twice.
   */
  async open(events: TransportEvents, signal: AbortSignal): Promise<void> {
    if (this.#isOpened)
      throw new TransportClosedError(`${this.target} was opened before; a transport is opened once`)
    this.#isOpened = true
    const endpoint = parseEndpoint(this.#options.url)
    const headers = new RequestHeaders(this.#options.headers, this.#hooks.headers)
    // Not before it is needed: the HTTP client is most of a cold start.
    const { openLanes } = await import('./lanes.ts')
    if (signal.aborted || this.#closing.signal.aborted)
      throw new TransportClosedError(`${this.target} was closed before it was open`, { cause: signal.reason })
    const { connectTimeoutMs, idleTimeoutMs, maxMessageBytes } = this.#options
    const lanes = openLanes(endpoint, this.#options)
    const limits = { connectTimeoutMs, idleTimeoutMs, maxMessageBytes }
    const desk = this.#hooks.credentials
    const authorization =
      desk && new Authorization(desk, endpoint, (isWaiting) => events.authorizing?.(isWaiting))
    const common = { endpoint, lanes, headers, authorization, clock: this.#clock }
    const wire = { ...common, reading: new Reading(), ...limits }
    this.#opened = { wire, events, conversation: new Conversation(wire, events) }
  }

  send(message: Outbound): void {
    this.#opened?.conversation.send(message)
  }

  /** Responses under way are read no further: their connections hold the server back. Their silence is not counted meanwhile. */
  pause(): void {
    this.#opened?.wire.reading.pause()
  }

  resume(): void {
    this.#opened?.wire.reading.resume()
  }

  /** Ends the exchange of that request and whatever resumes it. Where answers share a stream, a late one may still come. */
  abandon(id: RequestId): void {
    this.#opened?.conversation.abandon(id)
  }

  /**
   * Goes over to HTTP+SSE of 2024-11-05 at the same URL. Its stream is the wire: when it ends, so does this.
   * @throws HttpError or AuthorizationError when the server does not offer it, TransportClosedError when aborted or not open.
   */
  async fallBack(signal: AbortSignal): Promise<void> {
    const opened = this.#opened
    if (!opened || this.#channel) throw new TransportClosedError(`${this.target} cannot fall back (again)`)
    const { conversation } = opened
    conversation.stop()
    conversation.traffic.session.drop()
    const either = AbortSignal.any([signal, this.#closing.signal])
    this.#channel = await openChannel(conversation.traffic, either, (failure) => {
      if (this.#opened) conversation.failAll(failure)
      this.#ended ??= this.#end(failure)
    })
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#ended ??= this.#end(undefined)
    await this.#ended
  }

  async #end(failure: McpError | undefined): Promise<void> {
    const opened = this.#opened
    this.#opened = undefined
    if (!opened) return
    const { wire, events, conversation } = opened
    conversation.stop()
    this.#channel?.close()
    if (!failure) await endSession(wire, conversation.traffic.session)
    await wire.lanes.destroy()
    events.closed(failure)
  }
}
