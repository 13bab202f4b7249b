import type { Socket } from 'node:net'

/** What one connection asked for and was not answered yet. */
export interface Connection {
  unanswered: number
}

/** What clients asked for and have not read: who does not read is not worked for, and is shown out in the end. */
export class Backlog {
  /** A connection on which an answer makes no progress for so long is closed. */
  readonly stallTimeoutMs: number
  readonly #connections = new WeakMap<Socket, Connection>()
  #unreadBytes = 0

  constructor(stallTimeoutMs: number) {
    this.stallTimeoutMs = stallTimeoutMs
  }

  /** One more was asked on that connection. */
  begin(socket: Socket): Connection {
    let connection = this.#connections.get(socket)
    if (!connection) {
      connection = { unanswered: 0 }
      this.#connections.set(socket, connection)
    }
    connection.unanswered += 1
    return connection
  }

  /** Whether too much before its last request is unread. */
  isTooMuch({ unanswered }: Connection): boolean {
    return unanswered > mostPipelined || this.#unreadBytes > mostUnreadBytes
  }

  /** So many bytes of answers wait to be read more, or less. */
  count(bytes: number): void {
    this.#unreadBytes += bytes
  }
}

const mostPipelined = 32
const mostUnreadBytes = 256 * 1024 * 1024
