import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Server as NetServer } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { type Clock, systemClock } from '../../../src/clock.ts'
import type { McpError } from '../../../src/errors.ts'
import { isObject, type JsonObject, type RequestId } from '../../../src/protocol/json-rpc.ts'
import { TestClock } from '../../../src/testing/test-clock.ts'
import {
  type HttpHooks,
  type HttpOptions,
  HttpTransport,
} from '../../../src/transports/http/http-transport.ts'
import type { Outbound, TransportEvents } from '../../../src/transports/transport.ts'

export const never = new AbortController().signal

export type Heard =
  | { readonly event: 'message'; readonly message: JsonObject | readonly unknown[]; readonly text: string }
  | { readonly event: 'noise'; readonly sample: string }
  | {
      readonly event: 'failed'
      readonly id: RequestId
      readonly failure: McpError
      readonly wasRefused: boolean
    }
  | { readonly event: 'sessionLost' }
  | { readonly event: 'stream'; readonly state: 'open' | 'waiting' | 'absent' }
  | { readonly event: 'oversize'; readonly id: RequestId | undefined; readonly maxMessageBytes: number }
  | { readonly event: 'closed'; readonly failure: McpError | undefined }

/** Lets a test wait for what it wants to see, whenever that comes. */
export class Watched {
  #waiting: (() => void)[] = []

  changed(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }

  async until<Found>(find: () => Found | undefined): Promise<Found> {
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      await new Promise<void>((changed) => this.#waiting.push(changed))
    }
  }
}

/** Writes down what a wire reports. */
export class Recorder implements TransportEvents {
  readonly heard: Heard[] = []
  readonly #watched = new Watched()
  /** Called at once with every message. */
  onMessage: (message: JsonObject | readonly unknown[]) => void = () => {}

  message = (message: JsonObject | readonly unknown[], text: string): void => {
    this.#hear({ event: 'message', message, text })
    this.onMessage(message)
  }
  noise = (sample: string): void => this.#hear({ event: 'noise', sample })
  failed = (id: RequestId, failure: McpError, wasRefused: boolean): void =>
    this.#hear({ event: 'failed', id, failure, wasRefused })
  sessionLost = (): void => this.#hear({ event: 'sessionLost' })
  stream = (state: 'open' | 'waiting' | 'absent'): void => this.#hear({ event: 'stream', state })
  oversize = (id: RequestId | undefined, maxMessageBytes: number): void =>
    this.#hear({ event: 'oversize', id, maxMessageBytes })
  stderr = (): void => expect.unreachable('HTTP has no stderr')
  spawned = (): void => expect.unreachable('HTTP spawns nothing')
  reaped = (): void => expect.unreachable('HTTP spawns nothing')
  closed = (failure: McpError | undefined): void => this.#hear({ event: 'closed', failure })

  all<Name extends Heard['event']>(name: Name): Extract<Heard, { event: Name }>[] {
    return this.heard.filter((one): one is Extract<Heard, { event: Name }> => one.event === name)
  }

  get names(): string[] {
    return this.heard.map((one) => (one.event === 'stream' ? `stream ${one.state}` : one.event))
  }

  get messages(): (JsonObject | readonly unknown[])[] {
    return this.all('message').map(({ message }) => message)
  }

  until<Found>(find: (recorder: this) => Found | undefined): Promise<Found> {
    return this.#watched.until(() => find(this))
  }

  find(matches: (message: JsonObject) => boolean): Promise<JsonObject> {
    return this.until(({ messages }) => messages.filter(isObject).find(matches))
  }

  answer(id: RequestId): Promise<JsonObject> {
    return this.find((message) => message.id === id && !('method' in message))
  }

  failure(id: RequestId): Promise<Extract<Heard, { event: 'failed' }>> {
    return this.until((recorder) => recorder.all('failed').find((one) => one.id === id))
  }

  next<Name extends Heard['event']>(name: Name, index = 0): Promise<Extract<Heard, { event: Name }>> {
    return this.until((recorder) => recorder.all(name)[index])
  }

  #hear(heard: Heard): void {
    this.heard.push(heard)
    this.#watched.changed()
  }
}

/** A clock that stands still, and lets a test wait until somebody waits on it. */
export class WatchedClock extends TestClock {
  readonly #watched = new Watched()
  readonly #delays = new Map<unknown, number>()

  override setTimeout(run: () => void, delayMs: number): unknown {
    const timer = super.setTimeout(run, delayMs)
    this.#delays.set(timer, delayMs)
    this.#watched.changed()
    return timer
  }

  override clearTimeout(timer: unknown): void {
    super.clearTimeout(timer)
    this.#delays.delete(timer)
  }

  /** Resolves when a timer of that delay runs. */
  async reached(delayMs: number): Promise<void> {
    await this.#watched.until(() => this.#isRunning(delayMs) || undefined)
  }

  /** Waits for such a timer, and moves time past it. */
  async pass(delayMs: number): Promise<void> {
    await this.reached(delayMs)
    for (const [timer, delay] of this.#delays) if (delay === delayMs) this.#delays.delete(timer)
    this.advance(delayMs)
  }

  #isRunning(delayMs: number): boolean {
    return [...this.#delays.values()].includes(delayMs)
  }
}

export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
  /** The parsed body; {} where there is none. */
  readonly message: JsonObject
  readonly response: ServerResponse
  /** How many sockets were open to the server before. */
  readonly socket: number
  /** Resolves when the client is gone before its answer was finished. */
  readonly left: Promise<unknown>
}

/** A server that remembers what it was asked. */
export interface TestServer {
  readonly url: string
  readonly port: number
  readonly seen: readonly SeenRequest[]
  /** The nth request that matches, now or later. */
  request(matches: (request: SeenRequest) => boolean, index?: number): Promise<SeenRequest>
  close(): void
}

export type Handler = (request: SeenRequest, response: ServerResponse) => void

/** Serves on 127.0.0.1 until the test ends. */
export async function serve(handler: Handler, server: Server = createServer()): Promise<TestServer> {
  const seen: SeenRequest[] = []
  const watched = new Watched()
  const sockets: unknown[] = []
  server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
    if (!sockets.includes(incoming.socket)) sockets.push(incoming.socket)
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming
      const text = Buffer.concat(parts).toString()
      const message = text === '' ? {} : JSON.parse(text)
      const socket = sockets.indexOf(incoming.socket)
      const left = new Promise((gone) => response.on('close', () => response.writableFinished || gone(true)))
      const request = { method, url, headers, text, message, response, socket, left }
      seen.push(request)
      watched.changed()
      handler(request, response)
    })
  })
  const port = await listening(server)
  const request = (matches: (request: SeenRequest) => boolean, index = 0): Promise<SeenRequest> =>
    watched.until(() => seen.filter(matches)[index])
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(close)
  return { url: `http://127.0.0.1:${port}/mcp`, port, seen, request, close }
}

export async function listening(server: NetServer): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

export interface Connected {
  readonly transport: HttpTransport
  readonly record: Recorder
}

/** An open transport that is closed when the test ends. */
export async function opened(
  options: HttpOptions | string,
  hooks: HttpHooks = {},
  clock: Clock = systemClock,
): Promise<Connected> {
  const given = typeof options === 'string' ? { url: options } : options
  const transport = new HttpTransport(given, hooks, clock)
  const record = new Recorder()
  onTestFinished(async () => {
    await transport.close()
    expect(record.all('closed')).toHaveLength(1)
    expect(record.names.at(-1)).toBe('closed')
  })
  await transport.open(record, never)
  return { transport, record }
}

/** A transport on a clock that stands still. At the end no timer may be left on it. */
export async function openedInTime(
  options: HttpOptions | string,
): Promise<Connected & { readonly clock: WatchedClock }> {
  const clock = new WatchedClock()
  onTestFinished(() => expect(clock.pending).toBe(0))
  return { ...(await opened(options, {}, clock)), clock }
}

export function request(id: RequestId, method = 'tools/call', params: JsonObject = {}): Outbound {
  return { kind: 'request', id, method, text: JSON.stringify({ jsonrpc: '2.0', id, method, params }) }
}

export function notification(method: string, params: JsonObject = {}): Outbound {
  return { kind: 'notification', method, text: JSON.stringify({ jsonrpc: '2.0', method, params }) }
}

export function result(id: unknown, value: JsonObject = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: value })
}

export function error(id: unknown, code: number, message = 'no'): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}

export function json(response: ServerResponse, text: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}

/** Begins an event stream; its head is sent at once. */
export function stream(response: ServerResponse, headers: { readonly [name: string]: string } = {}): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).flushHeaders()
}

export function event(data: string, fields: { readonly [name: string]: string } = {}): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`)
  return `${lines.join('')}data: ${data}\n\n`
}
