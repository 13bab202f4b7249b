import type { McpError } from '../../src/errors.ts'
import type { Era } from '../../src/protocol/versions.ts'
import type { Peer } from './peer.ts'

/** Whether requests may go out, and to whom: what the machine decided, as the traffic needs to know it. */
export class Readiness {
  #peer: Peer | undefined
  #era: Era = 'legacy'
  #failure: McpError | undefined
  #waiting: { resolve: (peer: Peer) => void; reject: (failure: McpError) => void }[] = []

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

  become(peer: Peer): void {
    this.#peer = peer
    this.#era = peer.era
    for (const { resolve } of this.#waiting.splice(0)) resolve(peer)
  }

  suspend(): void {
    this.#peer = undefined
  }

  end(failure: McpError): void {
    this.#failure ??= failure
    this.#peer = undefined
    for (const { reject } of this.#waiting.splice(0)) reject(failure)
  }
}
