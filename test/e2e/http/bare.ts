import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { isObject, type JsonObject } from '../../../src/protocol/json-rpc.ts'
import { listening, Watched } from '../../transports/http/harness.ts'
import { Sockets } from './sockets.ts'

export type Route = (exchange: BareExchange) => unknown
/** By JSON-RPC method, or by verb where there is no message. Of several the nth is for the nth request, the last for all after it. */
export type Routes = { readonly [name: string]: Route | readonly Route[] }

/** One request and what a test makes of it. */
export class BareExchange {
  readonly verb: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** {} where there is no body. */
  readonly message: JsonObject
  readonly response: ServerResponse
  /** Resolves when the client is gone before the answer was finished. */
  readonly left: Promise<void>

  constructor(request: IncomingMessage, response: ServerResponse, text: string) {
    const { method = '', url = '', headers } = request
    this.verb = method
    this.url = url
    this.headers = headers
    this.message = text === '' ? {} : JSON.parse(text)
    this.response = response
    this.left = new Promise((gone) => response.on('close', () => response.writableFinished || gone()))
  }

  /** The method of the message, else the verb. */
  get name(): string {
    const { method } = this.message
    if (typeof method === 'string') return method
    return 'id' in this.message ? 'response' : this.verb
  }

  get params(): JsonObject {
    return isObject(this.message.params) ? this.message.params : {}
  }

  get tool(): unknown {
    return this.params.name
  }

  send(status: number, body = '', headers: { readonly [name: string]: string } = {}): void {
    this.response.writeHead(status, headers).end(body)
  }

  json(body: unknown, status = 200, headers: { readonly [name: string]: string } = {}): void {
    this.send(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers })
  }

  answer(result: JsonObject, headers: { readonly [name: string]: string } = {}): void {
    this.json({ jsonrpc: '2.0', id: this.message.id, result }, 200, headers)
  }

  refuse(status: number, code: number, message = 'no', data?: unknown): void {
    this.json({ jsonrpc: '2.0', id: this.message.id, error: { code, message, data } }, status)
  }

  stream(headers: { readonly [name: string]: string } = {}): EventLines {
    this.response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).flushHeaders()
    return new EventLines(this)
  }
}

/** An answer as an event stream. */
export class EventLines {
  readonly #exchange: BareExchange
  #written: Promise<unknown> = Promise.resolve()

  constructor(exchange: BareExchange) {
    this.#exchange = exchange
  }

  raw(text: string): this {
    this.#written = new Promise((written) => this.#exchange.response.write(text, written))
    return this
  }

  /** One message; `fields` come before its data. */
  message(message: JsonObject, fields = ''): this {
    return this.raw(`${fields}data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
  }

  notify(method: string, params: JsonObject = {}, fields = ''): this {
    return this.message({ method, params }, fields)
  }

  answer(result: JsonObject, fields = ''): this {
    return this.message({ id: this.#exchange.message.id, result }, fields)
  }

  end(): void {
    this.#exchange.response.end()
  }

  /** Breaks the connection after what was written, without the end that HTTP asks for. */
  cut(): void {
    void this.#written.then(() => this.#exchange.response.destroy())
  }
}

export interface BareServer {
  readonly url: string
  readonly port: number
  readonly seen: readonly BareExchange[]
  /** The nth that matches, or is of that name; now or later. */
  exchange(wanted: string | ((exchange: BareExchange) => boolean), index?: number): Promise<BareExchange>
  /** How often a method or verb came. */
  count(name: string): number
  /** Resolves when no connection to it is open. */
  idle(): Promise<void>
}

/** A server of a few lines on a free port, until the test ends. What no route is for goes to `otherwise`. */
export async function bare(
  routes: Routes,
  otherwise: Route = (exchange) => exchange.send(404),
): Promise<BareServer> {
  const seen: BareExchange[] = []
  const watched = new Watched()
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const exchange = new BareExchange(request, response, Buffer.concat(parts).toString())
    seen.push(exchange)
    watched.changed()
    const route = routes[exchange.name] ?? otherwise
    const all = [route].flat()
    all[Math.min(count(exchange.name), all.length) - 1]?.(exchange)
  })
  const count = (name: string): number => seen.filter((exchange) => exchange.name === name).length
  const sockets = new Sockets(server)
  const port = await listening(server)
  onTestFinished(() => {
    server.close()
    sockets.destroy()
  })
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    port,
    seen,
    count,
    exchange: (wanted, index = 0) => {
      const matches = typeof wanted === 'string' ? (one: BareExchange) => one.name === wanted : wanted
      return watched.until(() => seen.filter(matches)[index])
    },
    idle: () => sockets.idle(),
  }
}

export function said(text: string): JsonObject {
  return { content: [{ type: 'text', text }] }
}
