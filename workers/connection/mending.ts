import { ErrorCode } from '../../src/protocol/error-codes.ts'
import type { Answer } from './correlator.ts'
import type { Peer } from './peer.ts'
import type { Readiness } from './readiness.ts'

export interface MendingParts {
  readonly readiness: Readiness
  readonly onVersionRefused: () => void
  /** The server's tools have other headers than we knew: list them again. Only where the wire carries headers. */
  readonly refreshTools: (() => Promise<unknown>) | undefined
}

/** What of an answer says that the request was refused, and so not executed, for a reason that can be mended. */
export class Mending {
  readonly #parts: MendingParts

  constructor(parts: MendingParts) {
    this.#parts = parts
  }

  /** Sends a request once the server is known, and once more where its refusal was mended. Rejects when the connection ended. */
  async ask(method: string, send: (peer: Peer) => Promise<Answer>): Promise<Answer> {
    const { readiness } = this.#parts
    // At once where that is possible: requests leave in the order they were made.
    const peer = readiness.peer ?? (await readiness.whenReady())
    const answer = await send(peer)
    const mend = this.of(answer, peer, method)
    if (!mend) return answer
    await mend()
    return send(readiness.peer ?? (await readiness.whenReady()))
  }

  /** What has to happen before the request is sent once more; undefined when it is answered. It never rejects: the second attempt tells. */
  of(answer: Answer, askedOf: Peer, method: string): (() => Promise<void>) | undefined {
    const { readiness, onVersionRefused, refreshTools } = this.#parts
    if (answer.kind === 'result') return undefined
    if (answer.kind === 'failure') {
      // The session it was sent in was lost: it goes into the next one, which is being begun or stands already.
      return answer.wasRefused && readiness.peer !== askedOf ? async () => {} : undefined
    }
    const { code } = answer.error
    if (code === ErrorCode.UnsupportedProtocolVersion && askedOf.era === 'modern')
      return async () => onVersionRefused()
    if (code === ErrorCode.HeaderMismatch && method === 'tools/call' && refreshTools)
      return () =>
        refreshTools().then(
          () => {},
          () => {},
        )
    return undefined
  }
}
