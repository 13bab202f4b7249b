import type { McpServer } from '../server/server.ts'
import { Conversation } from '../server/stdio/conversation.ts'
import type { Outbound, Transport, TransportEvents } from '../transports/transport.ts'

/**
 * A client in front of a server of the same process: everything crosses as JSON text, nothing is spawned.
 *
 * ```ts
 * await using mcp = McpClient.connectStdio({ transport: new InProcessTransport(server) })
 * ```
 */
export class InProcessTransport implements Transport {
  readonly target = 'in-process'
  readonly #server: McpServer
  #conversation: Conversation | undefined
  #close: (() => void) | undefined

  constructor(server: McpServer) {
    this.#server = server
  }

  async open(events: TransportEvents): Promise<void> {
    let receive = (text: string) => events.message(JSON.parse(text), text)
    // Never from within `send`: like on a real wire, the sender goes on first.
    const send = (text: string) => queueMicrotask(() => receive(text))
    this.#conversation = new Conversation(this.#server.dispatcher, { send, mention: send })
    this.#close = () => {
      receive = () => {}
      events.closed(undefined)
    }
  }

  send({ text }: Outbound): void {
    queueMicrotask(() => this.#conversation?.receive(text))
  }

  async close(): Promise<void> {
    this.#conversation?.abort()
    this.#conversation = undefined
    this.#close?.()
    this.#close = undefined
  }
}
