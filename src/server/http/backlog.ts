import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What clients asked for and have not read: who does not read is not worked for, and is shown out in the end. */
export class Backlog {
  readonly #stallTimeoutMs: number
  /** Requests of a connection whose answers are not out yet. */
  readonly #asked = new WeakMap<Socket, number>()
  #unread = 0

  /** A connection on which an answer makes no progress for so long is closed. */
  constructor(stallTimeoutMs: number) {
    this.#stallTimeoutMs = stallTimeoutMs
  }

  /** False for a request that comes while too much before it is unread. */
  accepts({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const asked = this.#asked.get(socket) ?? 0
    if (asked >= mostPipelined || this.#unread > mostUnreadBytes) return false
    this.#asked.set(socket, asked + 1)
    response.once('close', () => this.#asked.set(socket, (this.#asked.get(socket) ?? 1) - 1))
    return true
  }

  /** So many last bytes of an answer are on their way. */
  sends(response: ServerResponse, bytes: number): void {
    response.setTimeout(this.#stallTimeoutMs)
    if (bytes < worthCounting) return
    this.#unread += bytes
    response.once('close', () => {
      this.#unread -= bytes
    })
  }
}

const mostPipelined = 32
const mostUnreadBytes = 256 * 1024 * 1024
/** Smaller ones are few enough. */
const worthCounting = 16 * 1024
