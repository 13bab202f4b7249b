import { ProtocolError } from '../../errors.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import { isObject, type JsonObject, type RequestId } from '../../protocol/json-rpc.ts'
import { isLoggingLevel } from '../../protocol/logging.ts'
import { MetaKey } from '../../protocol/meta.ts'
import type { ProgressToken } from '../../protocol/progress.ts'
import { Request } from '../context.ts'
import type { MethodResult } from '../methods/method.ts'
import { invalidParams } from '../methods/params.ts'
import { badLevel, type Caller, readStamp } from './caller.ts'
import type { Exchange } from './exchange.ts'
import { featureMethod } from './features.ts'
import type { LegacySession } from './legacy-session.ts'
import { legacyResult } from './legacy-shape.ts'
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

  constructor(served: Served) {
    this.#served = served
  }

  /** One message of a wire that carries both eras, and one client. */
  answer(request: IncomingRequest, exchange: Exchange, session: LegacySession): Promise<Reply> {
    const era = eraOf(request.method, request.params, this.#served.versions)
    return era === 'modern' ? this.modern(request, exchange) : this.legacy(request, exchange, session)
  }

  /** A request that describes itself. */
  async modern({ id, method, params }: IncomingRequest, exchange: Exchange): Promise<Reply> {
    try {
      const { versions, info } = this.#served
      // A client of another era is told what is spoken, not what it left out (D-10).
      if (method === 'initialize' && !isStamped(params))
        throw unsupportedVersion(params.protocolVersion, versions)
      const caller = readStamp(params)
      if (!versions.modern.includes(caller.protocolVersion))
        throw unsupportedVersion(caller.protocolVersion, versions)
      const { result, cache } = await this.#modernResult(method, params, caller, exchange)
      const meta = isObject(result._meta) ? result._meta : undefined
      return resultReply(id, {
        ...result,
        ...cache,
        resultType: 'complete',
        _meta: { ...meta, [MetaKey.serverInfo]: info },
      })
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

  #modernResult(
    method: string,
    params: JsonObject,
    caller: Caller,
    exchange: Exchange,
  ): MethodResult | Promise<MethodResult> {
    const { versions, cache, instructions, offer } = this.#served
    if (method === 'server/discover') {
      const { modern: supportedVersions } = versions
      const result = {
        supportedVersions,
        capabilities: offer.capabilities,
        ...(instructions && { instructions }),
      }
      return { result, cache }
    }
    return this.#feature(method, params, caller, exchange)
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
      default: {
        const { caller } = session
        const { result } = await this.#feature(method, params, caller, exchange)
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
      capabilities: offer.capabilities,
      serverInfo: info,
      ...(instructions && { instructions }),
    }
  }

  #feature(method: string, params: JsonObject, caller: Caller, exchange: Exchange) {
    const serve = featureMethod(this.#served, method)
    if (!serve) throw methodNotFound(method)
    const { logSink } = this.#served
    const context = new Request({ caller, exchange, progressToken: tokenOf(params), logSink })
    return serve(this.#served, params, context)
  }
}

export function methodNotFound(method: string): ProtocolError {
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
