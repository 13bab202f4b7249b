import { type McpError, TransportClosedError } from '../errors.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { Outbound, Transport, TransportEvents } from '../transports/transport.ts'
import { type FakeAnswer, type FakeReply, type FakeRequest, FakeScript, responseTo } from './fake-answers.ts'
import { type FakeLegacyServer, type FakeModernServer, legacyAnswers, modernAnswers } from './fake-servers.ts'
import { SentLog, type SentMessage } from './sent-log.ts'

export interface FakeTransportOptions {
  /** What is answered, by method; default nothing: every request is refused with -32601. */
  readonly answers?: { readonly [method: string]: FakeAnswer }
  /** What opening waits for; its rejection is why the wire cannot be opened. Default: open at once. */
  readonly open?: (signal: AbortSignal) => void | Promise<void>
  /** What closing waits for. Default: closed at once. */
  readonly close?: () => void | Promise<void>
  /** Sees every message the moment it is sent, parsed. */
  readonly onSend?: (message: JsonObject) => void
}

/**
 * A wire with a scripted server at its other end. Answers never arrive from within `send`: like on a real wire, the sender goes on
 * first. Everything that crosses is JSON text and parsed again, so neither side sees the other's objects.
 *
 * ```ts
 * const transport = FakeTransport.modern({ answers: { 'tools/call': { content: [{ type: 'text', text: 'hi' }] } } })
 * await using mcp = McpClient.connectStdio({ transport })
 * await mcp.callTool('greet')
 * const { params } = await transport.nextSent('tools/call')
 * ```
 */
export class FakeTransport implements Transport {
  readonly target = 'fake'
  /** Called with every message the moment it is sent, parsed; may be replaced at any time. */
  onSend: ((message: JsonObject) => void) | undefined
  readonly #options: FakeTransportOptions
  readonly #scripts = new Map<string, FakeScript>()
  readonly #log = new SentLog()
  #events: TransportEvents | undefined
  #isOver = false
  #nextQuestion = 1

  constructor(options: FakeTransportOptions = {}) {
    this.#options = options
    this.onSend = options.onSend
    for (const [method, answer] of Object.entries(options.answers ?? {})) this.answer(method, answer)
  }

  /** A server of the modern era: answers `server/discover`; has nothing to list unless `answers` says so. */
  static modern(server: FakeModernServer & Omit<FakeTransportOptions, 'answers'> = {}): FakeTransport {
    return new FakeTransport({ ...server, answers: modernAnswers(server) })
  }

  /** A server of the legacy era: refuses `server/discover`, answers `initialize` and `ping`. */
  static legacy(server: FakeLegacyServer & Omit<FakeTransportOptions, 'answers'> = {}): FakeTransport {
    return new FakeTransport({ ...server, answers: legacyAnswers(server) })
  }

  /** Every message sent so far, parsed, in order. */
  get sent(): readonly JsonObject[] {
    return this.#log.messages
  }

  /** Every request and notification of that method sent so far. */
  sentOf(method: string): readonly SentMessage[] {
    return this.#log.calls.filter((call) => call.method === method)
  }

  /**
   * The next message of that method which this has not returned before: at once if it was sent already, else when it is sent.
   * Rejects when the wire ends first.
   */
  nextSent(method: string): Promise<SentMessage> {
    return this.#log.next(method)
  }

  /** Changes what is answered from now on to a method. */
  answer(method: string, answer: FakeAnswer): void {
    this.#scripts.set(method, new FakeScript(answer))
  }

  /** Answers one request by hand: one scripted as 'silence', or a second time. @throws Error for a notification */
  respond({ id, method }: Pick<SentMessage, 'id' | 'method'>, reply: FakeReply): void {
    if (id === undefined) throw new Error(`${method} is a notification: nobody waits for its answer`)
    const response = responseTo(id, reply)
    if (response) this.raw(response)
  }

  /** Sends a notification to the client. */
  push({ method, params }: { readonly method: string; readonly params?: JsonObject }): void {
    this.raw({ jsonrpc: '2.0', method, params })
  }

  /**
   * Sends a request to the client, as legacy servers do; resolves with the message that answers it (`result` or `error`).
   * `id` defaults to one of its own: 's1', 's2' … Rejects when the wire ends first.
   */
  ask(request: Pick<FakeRequest, 'method'> & Partial<FakeRequest>): Promise<JsonObject> {
    const { method, params, id = `s${this.#nextQuestion++}` } = request
    const answer = this.#log.answerTo(id)
    this.raw({ jsonrpc: '2.0', id, method, params })
    return answer
  }

  /** Delivers anything at all, as it would be parsed from its JSON text. */
  raw(message: JsonObject | readonly unknown[]): void {
    const text = JSON.stringify(message)
    this.wire.message(JSON.parse(text) as JsonObject, text)
  }

  /** Where a real wire reports what is no message: `noise`, `stderr`, `oversize`, `spawned`, `reaped`. @throws Error unless open */
  get wire(): TransportEvents {
    if (!this.#events || this.#isOver) throw new Error('The fake wire is not open')
    return this.#events
  }

  /** The wire breaks; default error: a TransportClosedError. */
  die(error: McpError = new TransportClosedError('The fake server is gone')): void {
    const { wire } = this
    this.#over()
    wire.closed(error)
  }

  async open(events: TransportEvents, signal: AbortSignal): Promise<void> {
    this.#events = events
    await this.#options.open?.(signal)
    signal.throwIfAborted()
  }

  send(message: Outbound): void {
    if (!this.#events || this.#isOver) return
    const parsed = JSON.parse(message.text) as JsonObject
    this.#log.add(parsed)
    this.onSend?.(parsed)
    if (message.kind === 'request') void this.#serve(parsed)
  }

  async close(): Promise<void> {
    await this.#options.close?.()
    if (!this.#events || this.#isOver) return
    this.#over()
    this.#events.closed(undefined)
  }

  async #serve({ id, method, params = {} }: JsonObject): Promise<void> {
    const request = { id, method, params } as FakeRequest
    const script = this.#scripts.get(request.method)
    const unknown = { error: { code: -32601, message: `Method not found: ${method}` } }
    const reply = script ? await script.reply(request) : await Promise.resolve(unknown)
    if (!this.#isOver) this.respond(request, reply)
  }

  #over(): void {
    this.#isOver = true
    this.#log.end()
  }
}
