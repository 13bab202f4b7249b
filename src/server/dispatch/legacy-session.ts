import { ProtocolError } from '../../errors.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { LoggingLevel } from '../../protocol/logging.ts'
import type { SubscriptionFilter } from '../../protocol/subscriptions.ts'
import { legacyVersions } from '../../protocol/versions.ts'
import { type Caller, readImplementation } from './caller.ts'

/** How far a legacy client has got with its handshake. */
type Introduction =
  | { readonly kind: 'new' }
  /** The handshake was answered, and not yet confirmed: nothing is said unasked. */
  | { readonly kind: 'introduced'; readonly caller: Caller }
  | { readonly kind: 'ready'; readonly caller: Caller }

/** What is remembered of one legacy client: of a process on stdio, of a session on HTTP. */
export class LegacySession {
  #introduction: Introduction = { kind: 'new' }
  #logLevel: LoggingLevel = 'info'
  readonly #subscribed = new Set<string>()

  /** What it is told unasked: nothing before it has confirmed the handshake. */
  get filter(): SubscriptionFilter {
    if (this.#introduction.kind !== 'ready') return {}
    return { ...everyList, resourceSubscriptions: [...this.#subscribed] }
  }

  /** Who it is. A client that asks before it introduced itself is taken for the newest. */
  get caller(): Caller {
    const caller = this.#introduction.kind === 'new' ? stranger : this.#introduction.caller
    return { ...caller, logLevel: this.#logLevel }
  }

  introduce(protocolVersion: string, params: JsonObject): void {
    const { capabilities, clientInfo } = params
    const caller: Caller = {
      ...stranger,
      protocolVersion,
      clientInfo: readImplementation(clientInfo),
      clientCapabilities: isObject(capabilities) ? capabilities : {},
    }
    this.#introduction = { kind: 'introduced', caller }
  }

  confirm(): void {
    if (this.#introduction.kind === 'introduced')
      this.#introduction = { ...this.#introduction, kind: 'ready' }
  }

  /** @throws ProtocolError past 10 000: nobody watches as much */
  subscribe(uri: string): void {
    if (this.#subscribed.size >= mostSubscriptions && !this.#subscribed.has(uri)) throw tooManySubscriptions()
    this.#subscribed.add(uri)
  }

  unsubscribe(uri: string): void {
    this.#subscribed.delete(uri)
  }

  setLogLevel(level: LoggingLevel): void {
    this.#logLevel = level
  }
}

const mostSubscriptions = 10_000
const everyList = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }

const stranger: Caller = {
  era: 'legacy',
  protocolVersion: legacyVersions[0],
  clientInfo: undefined,
  clientCapabilities: {},
  logLevel: undefined,
}

function tooManySubscriptions(): ProtocolError {
  return new ProtocolError({
    code: ErrorCode.InvalidRequest,
    message: `${mostSubscriptions} resources are subscribed to already: unsubscribe from some first`,
  })
}
