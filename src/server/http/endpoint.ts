import { type Clock, systemClock } from '../../clock.ts'
import { ProtocolError } from '../../errors.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import { classify, type Inbound, isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { parseMessage } from '../../protocol/parse-message.ts'
import { notificationText } from '../../protocol/requests.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { readStamp } from '../dispatch/caller.ts'
import { Cancellation } from '../dispatch/cancellation.ts'
import type { IncomingRequest } from '../dispatch/dispatcher.ts'
import { readBatch } from '../dispatch/read-batch.ts'
import { errorReply } from '../dispatch/reply.ts'
import type { McpServer } from '../server.ts'
import { AnswerStream, json } from './answer-stream.ts'
import { Guard } from './authorization/guard.ts'
import { checkHeaders } from './check-headers.ts'
import { Entrance } from './entrance.ts'
import type { HttpEndpointOptions } from './http-options.ts'
import { isLegacyMessage, LegacyEndpoint } from './legacy/legacy-endpoint.ts'
import { Sessions } from './legacy/sessions.ts'
import { refuse } from './refuse.ts'
import { statusOf } from './status.ts'
import { takesEvents } from './takes-events.ts'
import type { HttpRequest, HttpResponse } from './wire.ts'

/** A server at one URL: modern requests describe themselves, and nothing is remembered between them; legacy clients have sessions. */
export class HttpEndpoint {
  readonly #server: McpServer
  readonly #options: HttpEndpointOptions
  readonly #guard: Guard | undefined
  readonly #entrance: Entrance
  readonly #open = new Set<Cancellation>()
  readonly #stoppers = new Map<Cancellation, () => void>()
  #onSettled: (() => void) | undefined

  readonly #legacy: LegacyEndpoint | undefined
  readonly #sessions: Sessions

  /** `url`: where it is, if it is known. */
  constructor(server: McpServer, options: HttpEndpointOptions, url?: string, clock: Clock = systemClock) {
    const { keepAliveMs = 15_000, legacy = false, maxSessions = 1_000, sessionIdleMs = 1_800_000 } = options
    this.#server = server
    this.#options = options
    this.#guard = options.authorization && new Guard(options.authorization, url)
    this.#entrance = new Entrance(options, this.#guard, server.logSink)
    this.#sessions = new Sessions(server.dispatcher, { maxSessions, idleMs: sessionIdleMs, clock })
    this.#legacy = legacy ? new LegacyEndpoint(this.#sessions, keepAliveMs) : undefined
  }

  /** Where the metadata of its authorization is; undefined where it serves none. */
  get metadataPath(): string | undefined {
    return this.#guard?.metadataPath
  }

  /** Answers one HTTP request. Never rejects. */
  async serve(request: HttpRequest, response: HttpResponse): Promise<void> {
    try {
      const admitting = this.#entrance.admit(request, response)
      const admitted = admitting instanceof Promise ? await admitting : admitting
      if (admitted) await this.#serve(admitted.request, admitted.response)
    } catch (error) {
      refuse(response, 500, ErrorCode.InternalError, `The server failed: ${thrownMessage(error)}`)
    }
  }

  /** Nothing more will be asked: what lasts comes to its end. */
  stop(): void {
    this.#sessions.endAll()
    for (const stop of [...this.#stoppers.values()]) stop()
  }

  /** Resolves when nothing is under way that anybody waits for. */
  async settled(): Promise<void> {
    if (this.#open.size > 0)
      await new Promise<void>((resolve) => {
        this.#onSettled = resolve
      })
  }

  /** Gives up what is under way. */
  abort(): void {
    for (const cancellation of this.#open) this.#giveUp(cancellation, 'the server stops')
  }

  async #serve(request: HttpRequest, response: HttpResponse): Promise<void> {
    if (request.verb !== 'POST')
      return this.#legacy
        ? this.#legacy.serveVerb(request, response)
        : response.answer(405, { allow: 'POST' })
    if (!isJson(request.header('content-type')))
      return refuse(response, 415, ErrorCode.InvalidRequest, 'The body must be application/json')
    const { maxMessageBytes = 4 * 1024 * 1024 } = this.#options
    const body = await request.body(maxMessageBytes)
    if (body.kind === 'left') return
    if (body.kind === 'tooLarge')
      return refuse(
        response,
        413,
        ErrorCode.InvalidRequest,
        `The body is larger than ${maxMessageBytes} bytes`,
      )
    const parsed = parseMessage(body.text)
    if (parsed.kind === 'noise')
      return refuse(response, 400, ErrorCode.ParseError, 'The body is no JSON object')
    if (parsed.kind === 'refused') return refuse(response, 400, ErrorCode.InvalidRequest, parsed.reason)
    if (isObject(parsed.message)) return this.#receive(classify(parsed.message), request, response)
    return this.#receiveBatch(parsed.message as readonly unknown[], request, response)
  }

  #receiveBatch(
    messages: readonly unknown[],
    request: HttpRequest,
    response: HttpResponse,
  ): Promise<void> | void {
    const batch = this.#legacy?.takesBatches(request) ? readBatch(messages) : undefined
    if (!batch) return refuse(response, 400, ErrorCode.InvalidRequest, 'Batches are not taken')
    const needed = batch.flatMap((one) => this.#scopesFor(one))
    if (this.#entrance.permits(needed, request, response))
      return this.#legacy?.receiveBatch(batch, request, response)
  }

  #receive(inbound: Inbound, request: HttpRequest, response: HttpResponse): Promise<void> | void {
    const id = inbound.kind === 'request' ? inbound.id : undefined
    if (!this.#entrance.permits(this.#scopesFor(inbound), request, response, id)) return
    if (this.#legacy && inbound.kind !== 'invalid' && isLegacyMessage(inbound, request))
      return this.#legacy.receive(inbound, request, response)
    switch (inbound.kind) {
      case 'request':
        return this.#answer(inbound, request, response)
      case 'notification':
        return response.answer(202, {})
      case 'invalid':
        return refuse(response, 400, ErrorCode.InvalidRequest, inbound.reason, inbound.id)
      case 'result':
      case 'error':
        return refuse(response, 400, ErrorCode.InvalidRequest, 'Nothing was asked of this client')
    }
  }

  async #answer(incoming: IncomingRequest, request: HttpRequest, response: HttpResponse): Promise<void> {
    const { keepAliveMs = 15_000 } = this.#options
    const complaint = this.#complaintAbout(incoming, request)
    if (complaint) return response.answer(400, json, errorReply(incoming.id, complaint).text)
    const stream = new AnswerStream(response, takesEvents(request.header('accept')), keepAliveMs)
    const cancellation = new Cancellation()
    this.#open.add(cancellation)
    response.onLeft(() => {
      stream.leave()
      this.#giveUp(cancellation, 'the client left')
    })
    const notify = (method: string, params: JsonObject) => stream.notify(notificationText(method, params))
    const onStop = (listener: () => void) => this.#stoppers.set(cancellation, listener)
    const reply = await this.#server.dispatcher.modern(incoming, {
      cancellation,
      notify,
      onStop,
      ...request.identity,
    })
    stream.answer(statusOf(reply), reply.text)
    this.#close(cancellation)
  }

  #scopesFor(inbound: Inbound): readonly string[] {
    return inbound.kind === 'request' ? this.#server.scopesFor(inbound.method, inbound.params) : []
  }

  /** A handler need not obey: nobody waits for it any more. */
  #giveUp(cancellation: Cancellation, reason: string): void {
    // What has been answered may go on as a task.
    if (!this.#open.has(cancellation)) return
    cancellation.abort(new Error(reason))
    this.#close(cancellation)
  }

  #close(cancellation: Cancellation): void {
    this.#open.delete(cancellation)
    this.#stoppers.delete(cancellation)
    if (this.#open.size === 0) this.#onSettled?.()
  }

  /** What is wrong with a request's envelope, in the order the protocol looks at it (H-23). */
  #complaintAbout({ method, params }: IncomingRequest, request: HttpRequest): unknown {
    // Of a client of another era: the dispatcher tells it what is spoken.
    if (method === 'initialize' && !isObject(params._meta)) return undefined
    try {
      const { protocolVersion } = readStamp(params)
      const paramHeaders = method === 'tools/call' ? this.#server.paramHeaders(params.name) : []
      if (method === 'subscriptions/listen' && !takesEvents(request.header('accept')))
        throw new ProtocolError({
          code: ErrorCode.InvalidRequest,
          message: 'Who listens must accept text/event-stream',
        })
      checkHeaders({ method, params, protocolVersion, paramHeaders }, (name) => request.header(name)?.trim())
      return undefined
    } catch (error) {
      return error
    }
  }
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType ?? '')
}
