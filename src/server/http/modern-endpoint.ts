import { ProtocolError } from '../../errors.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { notificationText } from '../../protocol/requests.ts'
import { readStamp } from '../dispatch/caller.ts'
import type { IncomingRequest } from '../dispatch/dispatcher.ts'
import { errorReply } from '../dispatch/reply.ts'
import type { McpServer } from '../server.ts'
import { AnswerStream, json } from './answer-stream.ts'
import { whenExpired } from './authorization/when-expired.ts'
import { checkHeaders } from './check-headers.ts'
import type { KeepAlives } from './keep-alives.ts'
import { statusOf } from './status.ts'
import { takesEvents } from './takes-events.ts'
import type { UnderWay } from './under-way.ts'
import type { HttpRequest, HttpResponse } from './wire.ts'

/** The modern half of an endpoint: each request describes itself, and is given up by a client that leaves. */
export class ModernEndpoint {
  readonly #server: McpServer
  readonly #underWay: UnderWay
  readonly #keepAlives: KeepAlives

  constructor(server: McpServer, underWay: UnderWay, keepAlives: KeepAlives) {
    this.#server = server
    this.#underWay = underWay
    this.#keepAlives = keepAlives
  }

  async answer(incoming: IncomingRequest, request: HttpRequest, response: HttpResponse): Promise<void> {
    const complaint = this.#complaintAbout(incoming, request)
    if (complaint) return response.answer(400, json, errorReply(incoming.id, complaint).text)
    const stream = new AnswerStream(response, takesEvents(request.header('accept')), this.#keepAlives)
    const cancellation = this.#underWay.begin()
    response.onLeft(() => {
      stream.leave()
      this.#underWay.giveUp(cancellation, 'the client left')
    })
    if (cancellation.isAborted) return
    const notify = (method: string, params: JsonObject) => stream.notify(notificationText(method, params))
    let forgetExpiry = () => {}
    const onStop = (listener: () => void) => {
      this.#underWay.onStop(cancellation, listener)
      forgetExpiry = whenExpired(request.identity, listener)
    }
    const exchange = { cancellation, notify, onStop, ...request.identity }
    const reply = await this.#server.dispatcher.modern(incoming, exchange)
    forgetExpiry()
    stream.answer(statusOf(reply), reply.text)
    this.#underWay.end(cancellation)
  }

  /** What is wrong with a request's envelope, in the order the protocol looks at it. */
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
