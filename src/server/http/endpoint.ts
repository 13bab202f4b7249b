import { systemClock } from '../../clock.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import { classify, type Inbound, isObject } from '../../protocol/json-rpc.ts'
import { parseMessage } from '../../protocol/parse-message.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { readBatch } from '../dispatch/batch.ts'
import type { McpServer } from '../server.ts'
import { Guard } from './authorization/guard.ts'
import { Entrance } from './entrance.ts'
import type { HttpEndpointOptions } from './http-options.ts'
import { KeepAlives } from './keep-alives.ts'
import { isLegacyMessage, LegacyEndpoint } from './legacy/legacy-endpoint.ts'
import { Sessions } from './legacy/sessions.ts'
import { ModernEndpoint } from './modern-endpoint.ts'
import { refuse } from './refuse.ts'
import { UnderWay } from './under-way.ts'
import type { HttpBody, HttpRequest, HttpResponse } from './wire.ts'

/** A server at one URL: modern requests describe themselves, and nothing is remembered between them; legacy clients have sessions. */
export class HttpEndpoint {
  readonly #server: McpServer
  readonly #maxMessageBytes: number
  readonly #guard: Guard | undefined
  readonly #entrance: Entrance
  readonly #underWay: UnderWay
  readonly #modern: ModernEndpoint
  readonly #legacy: LegacyEndpoint | undefined
  readonly #sessions: Sessions

  /** `url`: where it is, if it is known. */
  constructor(server: McpServer, options: HttpEndpointOptions, url?: string) {
    const { keepAliveMs = 15_000, maxRequests = 10_000, maxMessageBytes = 4 * 1024 * 1024 } = options
    const { legacy = false, maxSessions = 1_000, sessionIdleMs: idleMs = 1_800_000 } = options
    const { authorization, eventStore, retryMs = 1_000 } = options
    this.#server = server
    this.#maxMessageBytes = maxMessageBytes
    this.#guard = authorization && new Guard(authorization, url)
    this.#entrance = new Entrance(options, this.#guard, server.logSink)
    this.#underWay = new UnderWay(maxRequests)
    const keepAlives = new KeepAlives(keepAliveMs)
    this.#modern = new ModernEndpoint(server, this.#underWay, keepAlives)
    const { dispatcher, logSink } = server
    const onStoreFailure = (error: unknown) =>
      logSink.report('error', `The store of events failed: ${thrownMessage(error)}`)
    this.#sessions = new Sessions(
      { dispatcher, underWay: this.#underWay, keepAlives, eventStore, retryMs, onStoreFailure },
      { maxSessions, idleMs, clock: systemClock },
    )
    this.#legacy = legacy ? new LegacyEndpoint(this.#sessions) : undefined
  }

  /** Where the metadata of its authorization is; undefined where it serves none. */
  get metadataPath(): string | undefined {
    return this.#guard?.metadataPath
  }

  /** Answers one HTTP request. Never rejects. */
  async serve(asked: HttpRequest, answer: HttpResponse): Promise<void> {
    try {
      const admitting = this.#entrance.admit(asked, answer)
      const admitted = admitting instanceof Promise ? await admitting : admitting
      if (!admitted) return
      const { request, response } = admitted
      if (request.verb !== 'POST') return await this.#serveVerb(request, response)
      const refusal = refusalOfBody(request)
      if (refusal) return refuse(response, 415, ErrorCode.InvalidRequest, refusal)
      const body = await request.body(this.#maxMessageBytes)
      await this.#serveBody(body, request, response)
    } catch (error) {
      refuse(answer, 500, ErrorCode.InternalError, `The server failed: ${thrownMessage(error)}`)
    }
  }

  /** Nothing more will be asked: what lasts comes to its end. */
  stop(): void {
    this.#sessions.stop()
    this.#underWay.stop()
  }

  /** Resolves when nothing is under way that anybody waits for. */
  settled(): Promise<void> {
    return this.#underWay.settled()
  }

  /** Gives up what is under way, and forgets its clients. */
  abort(): void {
    this.#sessions.endAll()
    this.#underWay.abort()
  }

  #serveVerb(request: HttpRequest, response: HttpResponse): Promise<void> | void {
    if (this.#legacy) return this.#legacy.serveVerb(request, response)
    response.answer(405, { allow: 'POST' })
  }

  #serveBody(body: HttpBody, request: HttpRequest, response: HttpResponse): Promise<void> | void {
    if (body.kind === 'left') return
    if (body.kind === 'tooLarge') {
      const reason = `The body is larger than ${this.#maxMessageBytes} bytes`
      return refuse(response, 413, ErrorCode.InvalidRequest, reason)
    }
    const parsed = parseMessage(body.text)
    if (parsed.kind === 'noise')
      return refuse(response, 400, ErrorCode.ParseError, 'The body is no JSON object')
    if (parsed.kind === 'refused') return refuse(response, 400, ErrorCode.InvalidRequest, parsed.reason)
    if (isObject(parsed.message)) return this.#receive(classify(parsed.message), request, response)
    return this.#receiveBatch(parsed.message as readonly unknown[], request, response)
  }

  #receive(inbound: Inbound, request: HttpRequest, response: HttpResponse): Promise<void> | void {
    const id = inbound.kind === 'request' ? inbound.id : undefined
    if (id !== undefined && this.#underWay.isFull) return refuseForNow(response)
    if (!this.#entrance.permits(this.#scopesFor(inbound), request, response, id)) return
    if (this.#legacy && inbound.kind !== 'invalid' && isLegacyMessage(inbound, request))
      return this.#legacy.receive(inbound, request, response)
    switch (inbound.kind) {
      case 'request':
        return this.#modern.answer(inbound, request, response)
      case 'notification':
        return response.answer(202, {})
      case 'invalid':
        return refuse(response, 400, ErrorCode.InvalidRequest, inbound.reason, inbound.id)
      case 'result':
      case 'error':
        return refuse(response, 400, ErrorCode.InvalidRequest, 'Nothing was asked of this client')
    }
  }

  #receiveBatch(
    messages: readonly unknown[],
    request: HttpRequest,
    response: HttpResponse,
  ): Promise<void> | void {
    const batch = this.#legacy?.takesBatches(request) ? readBatch(messages) : undefined
    if (!batch) return refuse(response, 400, ErrorCode.InvalidRequest, 'Batches are not taken')
    if (this.#underWay.isFull) return refuseForNow(response)
    const needed = batch.flatMap((one) => this.#scopesFor(one))
    if (this.#entrance.permits(needed, request, response))
      return this.#legacy?.receiveBatch(batch, request, response)
  }

  #scopesFor(inbound: Inbound): readonly string[] {
    return inbound.kind === 'request' ? this.#server.scopesFor(inbound.method, inbound.params) : []
  }
}

/** Why a body is not read, or undefined. */
function refusalOfBody(request: HttpRequest): string | undefined {
  if (!/^application\/json\s*(;|$)/i.test(request.header('content-type') ?? ''))
    return 'The body must be application/json'
  if (!/^(identity)?$/i.test(request.header('content-encoding') ?? ''))
    return 'The body must not be compressed'
  return undefined
}

function refuseForNow(response: HttpResponse): void {
  const reason = 'Too many requests are under way: try again later'
  refuse(response, 503, ErrorCode.InternalError, reason, undefined, { 'retry-after': '1' })
}
