import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { Cancellation, LegacySession, type McpServer } from '../../../src/server/index.ts'

/** A stamp as modern clients send it. */
export function stamp(more: JsonObject = {}): JsonObject {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
    ...more,
  }
}

export interface Answered {
  readonly result?: JsonObject
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
  readonly notes: readonly JsonObject[]
}

/** One client of a server, without a wire. */
export class Asker {
  readonly session = new LegacySession()
  readonly #server: McpServer

  constructor(server: McpServer) {
    this.#server = server
  }

  /** As it is: of what era it is, the server decides. */
  async ask(method: string, params: JsonObject = {}): Promise<Answered> {
    const notes: JsonObject[] = []
    const exchange = {
      cancellation: new Cancellation(),
      onStop: () => {},
      notify: (name: string, sent: JsonObject) => notes.push({ method: name, ...sent }),
    }
    const { text } = await this.#server.dispatcher.answer({ id: 'q', method, params }, exchange, this.session)
    const { jsonrpc: _v, id: _id, ...answer } = JSON.parse(text)
    return { ...answer, notes }
  }

  modern(method: string, params: JsonObject = {}, meta: JsonObject = {}): Promise<Answered> {
    return this.ask(method, { ...params, _meta: stamp(meta) })
  }

  async initialize(protocolVersion = '2025-11-25', capabilities = {}): Promise<Answered> {
    const answer = await this.ask('initialize', {
      protocolVersion,
      capabilities,
      clientInfo: { name: 'old', version: '1' },
    })
    this.session.confirm()
    return answer
  }
}
