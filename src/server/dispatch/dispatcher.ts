import { ProtocolError } from '../../errors.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import { isObject, type JsonObject, type RequestId } from '../../protocol/json-rpc.ts'
import { isLoggingLevel } from '../../protocol/logging.ts'
import { MetaKey } from '../../protocol/meta.ts'
import type { ProgressToken } from '../../protocol/progress.ts'
import { membersText } from '../../protocol/requests.ts'
import type { Asker } from '../input/asker.ts'
import { PushedQuestions } from '../input/pushed-questions.ts'
import { invalidParams, nameOf } from '../methods/params.ts'
import { ServedRequest } from '../request/served-request.ts'
import { badLevel, type Caller, readStamp } from './caller.ts'
import { followChanges } from './changes.ts'
import type { Exchange } from './exchange.ts'
import { featureMethod } from './features.ts'
import type { LegacySession } from './legacy-session.ts'
import { legacyResult } from './legacy-shape.ts'
import { listen } from './listen.ts'
import { type ModernOutcome, runRound } from './modern-call.ts'
import { errorReply, type Reply, resultReply } from './reply.ts'
import type { Served } from './served.ts'
import { eraOf, unsupportedVersion } from './versions.ts'

export interface IncomingRequest {
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject
}

/**
 * Answers requests, one at a time and any number at once. It remembers nothing between them but what it is handed: a legacy client's
 * session. Never rejects.
 */
export class Dispatcher {
  readonly #served: Served
  /** What every modern answer says of the server, as the members of a result. */
  readonly #stamp: string
  /** The same, with the envelope most answers have. */
  readonly #complete: string

  constructor(served: Served) {
    this.#served = served
    this.#stamp = membersText({ _meta: { [MetaKey.serverInfo]: served.info } })
    this.#complete = `${membersText(complete)},${this.#stamp}`
  }

  /** Tells a legacy client what changes, once it may be told; modern ones ask to be. Returns what stops it. */
  follow(session: LegacySession, notify: (method: string, params: JsonObject) => void): () => void {
    return followChanges(this.#served.offer, () => session.filter, notify)
  }

  /** The client of an exchange left for good: its tasks end. */
  left(client: object): void {
    this.#served.tasks.left(client)
  }

  /** What `server/discover` answers, without the envelope of a result. */
  discoveryDocument(): JsonObject {
    const { versions, offer, instructions, cache } = this.#served
    return {
      supportedVersions: versions.modern,
      capabilities: offer.capabilities,
      ...(instructions && { instructions }),
      ...cache,
    }
  }

  /** One message of a wire that carries both eras, and one client. */
  answer(request: IncomingRequest, exchange: Exchange, session: LegacySession): Promise<Reply> {
    const era = eraOf(request.method, request.params, this.#served.versions)
    return era === 'modern' ? this.modern(request, exchange) : this.legacy(request, exchange, session)
  }

  /** A request that describes itself. */
  async modern({ id, method, params }: IncomingRequest, exchange: Exchange): Promise<Reply> {
    try {
      const { versions } = this.#served
      // A client of another era is told what is spoken, not what it left out.
      if (method === 'initialize' && !isStamped(params))
        throw unsupportedVersion(params.protocolVersion, versions)
      const caller = readStamp(params)
      if (!versions.modern.includes(caller.protocolVersion))
        throw unsupportedVersion(caller.protocolVersion, versions)
      const outcome = await this.#modernOutcome({ id, method, params }, caller, exchange)
      if (outcome.kind === 'input_required') {
        const { kind: resultType, inputRequests, requestState } = outcome
        return this.#modernReply(id, { inputRequests, requestState }, { resultType })
      }
      const { result, cache, resultType } = outcome
      if (!cache && !resultType) return this.#modernReply(id, result, complete)
      return this.#modernReply(id, result, { ...complete, ...cache, ...(resultType && { resultType }) })
    } catch (error) {
      return errorReply(id, error)
    }
  }

  /** A request of a client that did, or does, the handshake. */
  async legacy(
    { id, method, params }: IncomingRequest,
    exchange: Exchange,
    session: LegacySession,
  ): Promise<Reply> {
    try {
      return resultReply(id, await this.#legacyResult(method, params, exchange, session))
    } catch (error) {
      return errorReply(id, error)
    }
  }

  /** The envelope goes behind the result as text: most of it is the same for every answer, and copying objects is what answers cost most. */
  #modernReply(id: RequestId, result: JsonObject, envelope: JsonObject): Reply {
    const isFree = (member: string) => !(member in result)
    if (isFree('_meta') && Object.keys(envelope).every(isFree)) {
      const more = envelope === complete ? this.#complete : `${membersText(envelope)},${this.#stamp}`
      return resultReply(id, result, more)
    }
    const meta = isObject(result._meta) ? result._meta : undefined
    return resultReply(id, {
      ...result,
      ...envelope,
      _meta: { ...meta, [MetaKey.serverInfo]: this.#served.info },
    })
  }

  #modernOutcome(
    request: IncomingRequest,
    caller: Caller,
    exchange: Exchange,
  ): ModernOutcome | Promise<ModernOutcome> {
    const { method, params } = request
    const { states } = this.#served
    if (method === 'server/discover') return { kind: 'complete', result: this.discoveryDocument() }
    if (method === 'subscriptions/listen')
      return listen(this.#served, request, caller, exchange).then((result) => ({ kind: 'complete', result }))
    return runRound({ method, params, principal: exchange.principal }, caller, states, (asker) =>
      this.#feature(method, params, caller, exchange, asker),
    )
  }

  async #legacyResult(
    method: string,
    params: JsonObject,
    exchange: Exchange,
    session: LegacySession,
  ): Promise<JsonObject> {
    switch (method) {
      case 'initialize':
        return this.#initialize(params, session)
      case 'ping':
        return {}
      case 'logging/setLevel':
        if (!isLoggingLevel(params.level)) throw badLevel(params.level)
        session.setLogLevel(params.level)
        return {}
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return this.#subscribe(method, params, session)
      default: {
        const { caller } = session
        const asker = new PushedQuestions(caller.clientCapabilities, exchange.push?.bind(exchange))
        const { result } = await this.#feature(method, params, caller, exchange, asker)
        return legacyResult(method, result, caller.protocolVersion)
      }
    }
  }

  #initialize(params: JsonObject, session: LegacySession): JsonObject {
    const { versions, offer, info, instructions } = this.#served
    const { protocolVersion: wanted } = params
    const [newest] = versions.legacy
    const agreed = versions.legacy.find((version) => version === wanted) ?? newest
    if (agreed === undefined) throw unsupportedVersion(wanted, versions)
    session.introduce(agreed, params)
    return {
      protocolVersion: agreed,
      capabilities: offer.legacyCapabilities,
      serverInfo: info,
      ...(instructions && { instructions }),
    }
  }

  #subscribe(method: string, params: JsonObject, session: LegacySession): JsonObject {
    if (!this.#served.offer.capabilities.resources) throw methodNotFound(method)
    const uri = nameOf(params, 'uri')
    if (method === 'resources/subscribe') session.subscribe(uri)
    else session.unsubscribe(uri)
    return {}
  }

  #feature(method: string, params: JsonObject, caller: Caller, exchange: Exchange, asker: Asker) {
    const serve = featureMethod(this.#served, method, caller.era)
    if (!serve) throw methodNotFound(method)
    const { logSink } = this.#served
    const meta = isObject(params._meta) ? params._meta : {}
    const context = new ServedRequest({
      caller,
      exchange,
      meta,
      progressToken: tokenOf(params),
      logSink,
      asker,
    })
    return serve(this.#served, params, context)
  }
}

const complete = { resultType: 'complete' } as const

function methodNotFound(method: string): ProtocolError {
  return new ProtocolError({
    code: ErrorCode.MethodNotFound,
    message: `${method.slice(0, 100)} is not a method of this server`,
  })
}

function isStamped({ _meta }: JsonObject): boolean {
  return isObject(_meta) && Object.hasOwn(_meta, MetaKey.protocolVersion)
}

function tokenOf({ _meta }: JsonObject): ProgressToken | undefined {
  const token = isObject(_meta) ? _meta.progressToken : undefined
  if (token === undefined || typeof token === 'string' || Number.isSafeInteger(token))
    return token as ProgressToken
  throw invalidParams('progressToken must be a string or an integer')
}
