import type { McpError } from '../../src/errors.ts'
import type { ServerCapabilities } from '../../src/protocol/capabilities.ts'
import type { Era } from '../../src/protocol/versions.ts'
import type { Peer } from './peer.ts'

/** Whether requests may go out, and to whom: what the machine decided, as the traffic needs to know it. */
export class Readiness {
  #peer: Peer | undefined
  #era: Era = 'legacy'
  #capabilities: ServerCapabilities = {}
  #failure: McpError | undefined
  #peerIs: 'new' | 'proven' = 'new'
  readonly #onProven: () => void
  #waiting: { resolve: (peer: Peer) => void; reject: (failure: McpError) => void }[] = []

  /** `onProven` is told of the first answer to a call since the peer was introduced: a session that holds. */
  constructor(onProven: () => void = () => {}) {
    this.#onProven = onProven
  }

  /** Undefined while requests must wait. */
  get peer(): Peer | undefined {
    return this.#peer
  }

  /** The era concluded last: also while the server is probed again. */
  get era(): Era {
    return this.#era
  }

  /** Why nothing can be sent any more. */
  get failure(): McpError | undefined {
    return this.#failure
  }

  whenReady(): Promise<Peer> {
    if (this.#failure) return Promise.reject(this.#failure)
    if (this.#peer) return Promise.resolve(this.#peer)
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  /** What the server advertised. */
  get capabilities(): ServerCapabilities {
    return this.#capabilities
  }

  become(peer: Peer, capabilities: ServerCapabilities = this.#capabilities): void {
    this.#peer = peer
    this.#capabilities = capabilities
    this.#era = peer.era
    for (const { resolve } of this.#waiting.splice(0)) resolve(peer)
  }

  prove(): void {
    if (this.#peerIs === 'proven') return
    this.#peerIs = 'proven'
    this.#onProven()
  }

  suspend(): void {
    this.#peerIs = 'new'
    this.#peer = undefined
  }

  end(failure: McpError): void {
    this.#failure ??= failure
    this.#peer = undefined
    for (const { reject } of this.#waiting.splice(0)) reject(failure)
  }
}
