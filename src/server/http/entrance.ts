import { ErrorCode } from '../../protocol/error-codes.ts'
import type { RequestId } from '../../protocol/json-rpc.ts'
import { thrownMessage } from '../../thrown-message.ts'
import type { LogSink } from '../log-sink.ts'
import { type Admission, refusalOf } from './admission.ts'
import type { Guard } from './authorization/guard.ts'
import type { Identity } from './authorization/identify.ts'
import { covers } from './authorization/scopes.ts'
import { preflightHeaders, readableBy } from './cross-origin.ts'
import { refuse } from './refuse.ts'
import type { HttpRequest, HttpResponse } from './wire.ts'

/** A request that may be read, and where its answer goes. */
export interface Admitted {
  readonly request: HttpRequest
  readonly response: HttpResponse
}

/** Lets requests in by whom they are from, before anything of them is read. Those it does not let in it answers. */
export class Entrance {
  readonly #admission: Admission
  readonly #guard: Guard | undefined
  readonly #log: LogSink
  /** The last that was let in by a request without an origin: most requests name it again. */
  #knownHost: string | undefined

  constructor(admission: Admission, guard: Guard | undefined, log: LogSink) {
    this.#admission = admission
    this.#guard = guard
    this.#log = log
  }

  admit(request: HttpRequest, response: HttpResponse): Admitted | undefined | Promise<Admitted | undefined> {
    const origin = request.header('origin')
    const refusal = this.#refusalOf(origin, request.header('host'))
    if (refusal !== undefined) return refuse(response, 403, ErrorCode.InvalidRequest, refusal)
    const readable = origin === undefined ? response : readableBy(origin, response)
    if (origin !== undefined && request.verb === 'OPTIONS') {
      readable.answer(204, preflightHeaders(request))
      return undefined
    }
    if (!this.#guard) return { request, response: readable }
    if (this.#guard.serveMetadata(request, readable)) return undefined
    return this.#identified(this.#guard, request, readable)
  }

  /** Whether a request has all the scopes it needs; answered when it has not, with all of them at once. */
  permits(
    needed: readonly string[],
    { identity }: HttpRequest,
    response: HttpResponse,
    id?: RequestId,
  ): boolean {
    if (covers(identity?.scopes ?? [], needed)) return true
    const all = [...new Set([...(this.#guard?.requiredScopes ?? []), ...needed])]
    const message = `This needs a token with the scopes ${all.join(' ')}`
    const headers = this.#guard && { 'www-authenticate': this.#guard.challenge('insufficient_scope', all) }
    refuse(response, 403, ErrorCode.InvalidRequest, message, id, headers)
    return false
  }

  #refusalOf(origin: string | undefined, host: string | undefined): string | undefined {
    if (origin === undefined && host !== undefined && host === this.#knownHost) return undefined
    const refusal = refusalOf(origin, host, this.#admission)
    if (origin === undefined && refusal === undefined) this.#knownHost = host
    return refusal
  }

  async #identified(
    guard: Guard,
    request: HttpRequest,
    response: HttpResponse,
  ): Promise<Admitted | undefined> {
    const challenged = (status: number, error: string | undefined) => {
      response.answer(status, { 'www-authenticate': guard.challenge(error) })
      return undefined
    }
    const identification = await guard.identify(request).catch((error: unknown) => {
      // Nobody who is not known yet is told more.
      this.#log.report('error', `A token could not be verified: ${thrownMessage(error)}`)
      return undefined
    })
    switch (identification?.kind) {
      case undefined:
        return refuse(response, 500, ErrorCode.InternalError, 'The token could not be verified')
      case 'malformed':
        return challenged(400, 'invalid_request')
      case 'unknown':
        return challenged(401, identification.error)
      case 'identified': {
        const known = knownAs(identification.identity, request)
        return this.permits(guard.requiredScopes, known, response) ? { request: known, response } : undefined
      }
    }
  }
}

function knownAs(identity: Identity, request: HttpRequest): HttpRequest {
  const { verb, path } = request
  return {
    verb,
    path,
    identity,
    header: (name) => request.header(name),
    body: (most) => request.body(most),
  }
}
