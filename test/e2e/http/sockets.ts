import type { Server, Socket } from 'node:net'
import { Watched } from '../../transports/http/harness.ts'

/** Who is connected to a server. */
export class Sockets {
  readonly #open = new Set<Socket>()
  readonly #watched = new Watched()

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.#open.add(socket)
      socket.on('close', () => {
        this.#open.delete(socket)
        this.#watched.changed()
      })
    })
  }

  /** Resolves when nobody is. */
  async idle(): Promise<void> {
    await this.#watched.until(() => (this.#open.size === 0 ? 'idle' : undefined))
  }

  destroy(): void {
    for (const socket of this.#open) socket.destroy()
  }
}
