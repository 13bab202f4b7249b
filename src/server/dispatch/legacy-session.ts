import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { LoggingLevel } from '../../protocol/logging.ts'
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

  /** Whether it may be told things it did not ask for (L-03). */
  get isReady(): boolean {
    return this.#introduction.kind === 'ready'
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

  setLogLevel(level: LoggingLevel): void {
    this.#logLevel = level
  }
}

const stranger: Caller = {
  era: 'legacy',
  protocolVersion: legacyVersions[0],
  clientInfo: undefined,
  clientCapabilities: {},
  logLevel: undefined,
}
