import { ErrorCode } from '../../../protocol/error-codes.ts'
import { type Inbound, isObject, type JsonObject } from '../../../protocol/json-rpc.ts'
import { MetaKey } from '../../../protocol/meta.ts'
import { isLegacyVersion } from '../../../protocol/versions.ts'
import { batchText } from '../../dispatch/batch.ts'
import type { IncomingRequest } from '../../dispatch/dispatcher.ts'
import { invalidReply } from '../../dispatch/reply.ts'
import { refuse } from '../refuse.ts'
import { takesEvents } from '../takes-events.ts'
import type { HttpHeaders, HttpRequest, HttpResponse } from '../wire.ts'
import type { HttpSession } from './http-session.ts'
import type { Sessions } from './sessions.ts'

/** The legacy half of an endpoint: a handshake opens a session, whose id comes with everything after it. */
export class LegacyEndpoint {
  readonly #sessions: Sessions

  constructor(sessions: Sessions) {
    this.#sessions = sessions
  }

  /** GET and DELETE, which are of sessions only. */
  serveVerb(request: HttpRequest, response: HttpResponse): Promise<void> | void {
    const isGet = request.verb === 'GET'
    if (!isGet && request.verb !== 'DELETE') return response.answer(405, { allow: 'GET, POST, DELETE' })
    const session = this.#find(request, response)
    if (!session) return
    if (isGet) return this.#listen(session, request, response)
    this.#sessions.end(session.id)
    response.answer(200, {})
  }

  async #listen(session: HttpSession, request: HttpRequest, response: HttpResponse): Promise<void> {
    if (!takesEvents(request.header('accept')))
      return refuse(response, 406, ErrorCode.InvalidRequest, 'Who listens must accept text/event-stream')
    const lastEventId = request.header('last-event-id')
    if (lastEventId === undefined || !session.isResumable) {
      if (!session.stand(response, request.identity))
        refuse(response, 409, ErrorCode.InvalidRequest, 'This session has a stream open already')
    } else if (!(await session.resume(lastEventId, response, request.identity)))
      refuse(
        response,
        400,
        ErrorCode.InvalidRequest,
        'Nothing is known of that event: it may be too long ago',
      )
  }

  async receive(
    inbound: Exclude<Inbound, { kind: 'invalid' }>,
    request: HttpRequest,
    response: HttpResponse,
  ): Promise<void> {
    if (inbound.kind === 'request' && inbound.method === 'initialize')
      return this.#answer(inbound, this.#sessions.begin(request.identity?.principal), request, response)
    const session = this.#find(request, response)
    if (!session) return
    if (inbound.kind === 'request') return this.#answer(inbound, session, request, response)
    session.receive(inbound)
    response.answer(202, {})
  }

  /** Only clients of 2025-03-26 send batches. */
  takesBatches(request: HttpRequest): boolean {
    return this.#sessionOf(request)?.protocolVersion === '2025-03-26'
  }

  async receiveBatch(batch: readonly Inbound[], request: HttpRequest, response: HttpResponse): Promise<void> {
    const session = this.#find(request, response)
    if (!session) return
    const stream = session.openStream(response, takesEvents(request.header('accept')))
    const replies = batch.map((one) => {
      if (one.kind === 'request') return session.answer(one, stream, request.identity)
      if (one.kind === 'invalid') return invalidReply(one.id, one.reason)
      session.receive(one)
      return undefined
    })
    const texts = (await Promise.all(replies)).filter((reply) => reply !== undefined).map(({ text }) => text)
    if (texts.length > 0) stream.answer(200, batchText(texts))
    else stream.accept()
    session.closeStream(stream)
  }

  /** A client that leaves has not taken its request back. */
  async #answer(
    incoming: IncomingRequest,
    session: HttpSession,
    request: HttpRequest,
    response: HttpResponse,
  ): Promise<void> {
    const stream = session.openStream(response, takesEvents(request.header('accept')))
    const reply = await session.answer(incoming, stream, request.identity)
    const isHandshake = incoming.method === 'initialize'
    if (isHandshake && reply?.kind === 'error') this.#sessions.end(session.id)
    const headers: HttpHeaders =
      isHandshake && reply?.kind === 'result' ? { 'mcp-session-id': session.id } : {}
    if (reply) stream.answer(200, reply.text, headers)
    else stream.cut()
    session.closeStream(stream)
  }

  /** The session a request names; answered when it names none that lives. */
  #find(request: HttpRequest, response: HttpResponse): HttpSession | undefined {
    const session = this.#sessionOf(request)
    if (request.header('mcp-session-id') === undefined)
      refuse(response, 400, ErrorCode.InvalidRequest, 'Mcp-Session-Id is missing: send initialize first')
    else if (!session)
      refuse(response, 404, ErrorCode.InvalidRequest, 'There is no such session: send initialize again')
    return session
  }

  #sessionOf(request: HttpRequest): HttpSession | undefined {
    return this.#sessions.find(request.header('mcp-session-id') ?? '', request.identity?.principal)
  }
}

/** Whether a message is of the legacy era: no stamp in its body, and no newer version in its header. */
export function isLegacyMessage(inbound: Inbound, request: HttpRequest): boolean {
  const version = request.header('mcp-protocol-version')
  if (version !== undefined && !isLegacyVersion(version)) return false
  return inbound.kind !== 'request' || !isStamped(inbound.params)
}

function isStamped({ _meta }: JsonObject): boolean {
  return isObject(_meta) && Object.hasOwn(_meta, MetaKey.protocolVersion)
}
