import type { Socket } from 'node:net'

/** An answer that is not out yet. */
export interface OpenAnswer {
  /** Its connection is gone. */
  close(): void
}

/** Those of one connection. */
export type OpenAnswers = Set<OpenAnswer>

/** What clients asked for and have not read: who does not read is not worked for, and is shown out in the end. */
export class Backlog {
  /** A connection on which an answer makes no progress for so long is closed. */
  readonly stallTimeoutMs: number
  readonly #open = new WeakMap<Socket, OpenAnswers>()
  #unreadBytes = 0

  constructor(stallTimeoutMs: number) {
    this.stallTimeoutMs = stallTimeoutMs
  }

  /** One more was asked on that connection. */
  begin(socket: Socket, answer: OpenAnswer): OpenAnswers {
    const open = this.#open.get(socket) ?? this.#meet(socket)
    open.add(answer)
    return open
  }

  /** Whether too much before its last request is unread. */
  isTooMuch({ size }: OpenAnswers): boolean {
    return size > mostPipelined || this.#unreadBytes > mostUnreadBytes
  }

  /** So many bytes of answers wait to be read more, or less. */
  count(bytes: number): void {
    this.#unreadBytes += bytes
  }

  /** Node tells only the first answer of a connection that it is gone, and none of those that wait behind it. */
  #meet(socket: Socket): OpenAnswers {
    const open: OpenAnswers = new Set()
    this.#open.set(socket, open)
    socket.once('close', () => {
      for (const answer of [...open]) answer.close()
    })
    return open
  }
}

const mostPipelined = 32
const mostUnreadBytes = 256 * 1024 * 1024
