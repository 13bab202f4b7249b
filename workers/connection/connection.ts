import { type Actor, createActor, fromPromise, type SnapshotFrom } from 'xstate'
import { type ConnectionEvent, connectionMachine, roundTripMachine } from '../../machines/index.ts'
import type { Clock } from '../../src/clock.ts'
import { fromErrorData, toErrorData } from '../../src/error-data.ts'
import { type McpError, TransportClosedError } from '../../src/errors.ts'
import { messageHeaders } from '../../src/protocol/message-headers.ts'
import { notificationText } from '../../src/protocol/requests.ts'
import type { Outbound, Transport, TransportEvents } from '../../src/transports/transport.ts'
import type { Downlink, HookDesk, Uplink } from '../frames.ts'
import { Calls } from './calls.ts'
import { type Address, Correlator } from './correlator.ts'
import { Exchanges } from './exchange.ts'
import { Inbox } from './inbox.ts'
import { Introduction } from './introduction.ts'
import type { ConnectionOptions } from './options.ts'
import { OutputSchemas } from './output-schemas.ts'
import { ProgressTokens } from './progress-tokens.ts'
import { Questions } from './questions.ts'
import { Readiness } from './readiness.ts'
import { ResultCache } from './result-cache.ts'
import { RoundTrips, roundTripKey } from './round-trips.ts'
import { ServerRequests } from './server-requests.ts'
import { Services } from './services.ts'
import { Stamps } from './stamps.ts'
import { Subscriptions } from './subscriptions.ts'
import { Tasks } from './tasks.ts'
import { ToolHeaders } from './tool-headers.ts'
import { Warnings } from './warnings.ts'

export interface ConnectionParts {
  readonly options: ConnectionOptions
  readonly transport: Transport
  readonly desk: HookDesk
  readonly clock: Clock
  readonly up: (frame: Uplink) => void
}

/**
 * One connection, wherever it is hosted: the machine that decides, and beside it the parts that carry its traffic.
 * Frames come in by `receive` and leave by `up`; `ended` resolves when nothing of it is left.
 */
export class Connection {
  readonly ended: Promise<void>
  readonly #parts: ConnectionParts
  readonly #actor: Actor<typeof connectionMachine>
  readonly #readiness = new Readiness()
  readonly #correlator: Correlator
  readonly #calls: Calls
  readonly #services: Services
  readonly #subscriptions: Subscriptions
  readonly #serverRequests: ServerRequests
  readonly #stamps: Stamps
  readonly #warnings: Warnings
  readonly #startedAtMs: number
  #isTracing: boolean
  #shown: SnapshotFrom<typeof connectionMachine> | undefined

  constructor(parts: ConnectionParts) {
    const { options, desk, clock, up, transport } = parts
    this.#parts = parts
    this.#startedAtMs = clock.now()
    this.#isTracing = options.trace
    const send = (message: Outbound, address?: Address) => this.#send(message, address)
    const tellCancelled = (requestId: number, reason: string) => this.#tellCancelled(requestId, reason)
    const budget = { timeoutMs: options.requestTimeoutMs, maxTotalTimeoutMs: options.maxTotalTimeoutMs }
    const readiness = this.#readiness
    const warnings = new Warnings((message) => up({ kind: 'warning', message }))
    const correlator = new Correlator(send)
    const exchanges = new Exchanges(correlator, clock, tellCancelled, (id) => transport.abandon?.(id))
    const questions = new Questions(desk, options.hooks, options.clientCapabilities, warnings)
    const cache = new ResultCache(clock)
    const schemas = new OutputSchemas(warnings)
    const toolHeaders = transport.carriesHeaders ? new ToolHeaders(warnings) : undefined
    const tokens = new ProgressTokens()
    const subscriptions = new Subscriptions({
      clock,
      correlator,
      exchanges,
      readiness,
      budget,
      up,
      tellCancelled,
      onReopened: () => cache.clear(),
    })
    const tasks = options.tasks ? new Tasks(exchanges, readiness, up) : undefined
    const calls = new Calls({
      clock,
      correlator,
      cache,
      schemas,
      toolHeaders,
      tokens,
      tasks,
      readiness,
      up,
      tellCancelled,
      defaults: budget,
      onInputRequired: (call, asks) =>
        this.#tell({ type: 'call.inputRequired', call: roundTripKey(call), asks }),
      onTask: (call, asks, pollIntervalMs) =>
        this.#tell({ type: 'call.becameTask', call: roundTripKey(call), asks, pollIntervalMs }),
      onAbandoned: (call) => this.#tell({ type: 'call.abandoned', call: roundTripKey(call) }),
      refreshTools: () => this.#services.refreshTools(),
      onVersionRefused: () => {
        // The server is another one than it was.
        cache.clear()
        this.#tell({ type: 'version.refused' })
      },
    })
    const roundTrips = new RoundTrips(calls, correlator, questions, tasks, tellCancelled)
    const serverRequests = new ServerRequests(questions, send, () => this.#questionOpened())
    const inbox = new Inbox({
      correlator,
      calls,
      tokens,
      cache,
      subscriptions,
      serverRequests,
      readiness,
      warnings,
      up,
    })
    const introduction = new Introduction({ options, exchanges, clock, send })
    const stamps = new Stamps(options)
    this.#services = new Services({
      clock,
      exchanges,
      cache,
      schemas,
      toolHeaders,
      subscriptions,
      readiness,
      stamps,
      warnings,
      budget,
      up,
    })
    this.#correlator = correlator
    this.#calls = calls
    this.#subscriptions = subscriptions
    this.#serverRequests = serverRequests
    this.#stamps = stamps
    this.#warnings = warnings

    const machine = connectionMachine.provide({
      actors: {
        openTransport: fromPromise(({ signal }) => transport.open(this.#events(inbox), signal)),
        closeTransport: fromPromise(() => transport.close()),
        discover: fromPromise(({ input, signal }) => introduction.discover(input.version, signal)),
        initialize: fromPromise(({ signal }) => introduction.initialize(signal)),
        fallBack: fromPromise(async ({ signal }) => transport.fallBack?.(signal)),
        roundTrip: roundTripMachine.provide({
          actors: {
            pollTask: fromPromise(({ input, signal }) => roundTrips.poll(input.call, signal)),
            updateTask: fromPromise(({ input, signal }) => roundTrips.update(input.call, signal)),
            collectInputs: fromPromise(({ input, signal }) => roundTrips.collect(input.call, signal)),
            retry: fromPromise(async ({ input, signal }) =>
              roundTrips.retry(input.call, await readiness.whenReady(), signal),
            ),
          },
        }),
      },
      actions: { settleCall: (_, { call, outcome }) => roundTrips.settle(call, outcome) },
    })
    this.#actor = createActor(machine, {
      input: { ...options, hasOlderWire: transport.fallBack !== undefined },
      clock,
    })
    this.ended = new Promise((resolve) => {
      this.#actor.subscribe({
        next: (snapshot) => this.#follow(snapshot),
        complete: resolve,
        error: (error) => this.#crash(error).then(resolve),
      })
    })
    this.#actor.start()
    this.#actor.send({ type: 'open' })
  }

  receive(frame: Downlink): void {
    const { failure } = this.#readiness
    if (frame.kind === 'cancel') {
      this.#calls.cancel(frame.id)
      this.#services.cancel(frame.id)
    } else if (failure) this.#parts.up({ kind: 'failure', id: frame.id, error: toErrorData(failure) })
    else if (frame.kind === 'call') this.#calls.begin(frame)
    else void this.#services.serve(frame)
  }

  trace(isOn: boolean): void {
    this.#isTracing = isOn
  }

  close(): Promise<void> {
    this.#tell({ type: 'close' })
    return this.ended
  }

  #tell(event: ConnectionEvent): void {
    if (this.#actor.getSnapshot().status === 'active') this.#actor.send(event)
  }

  /** Acts on what the machine decided, and shows it to the host. */
  #follow(snapshot: SnapshotFrom<typeof connectionMachine>): void {
    const { value, context } = snapshot
    const isNews = value !== this.#shown?.value || context !== this.#shown.context
    this.#shown = snapshot
    if (isNews) this.#parts.up({ kind: 'snapshot', snapshot: { value, context } })
    if (snapshot.matches('modern') || snapshot.matches('legacy')) this.#ready(context)
    else if (snapshot.matches('closing') || snapshot.matches('closed')) {
      this.#end(context.failure ? fromErrorData(context.failure) : new TransportClosedError())
    } else this.#readiness.suspend()
  }

  #ready({ era, version, capabilities }: SnapshotFrom<typeof connectionMachine>['context']): void {
    if (this.#readiness.peer || !era || !version) return
    const peer = this.#stamps.peer(era, version)
    this.#readiness.become(peer)
    this.#services.introduce(capabilities)
    this.#subscriptions.renew()
    this.#calls.flush(peer)
  }

  #end(failure: McpError): void {
    if (this.#readiness.failure) return
    this.#readiness.end(failure)
    this.#correlator.failAll(failure)
    this.#calls.failAll(failure)
    this.#subscriptions.failAll(failure)
    this.#serverRequests.abandonAll(failure)
  }

  /** A fault of our own: the machine is dead, the process behind the wire must not outlive it. */
  #crash(error: unknown): Promise<void> {
    this.#end(
      new TransportClosedError('The connection failed inside mcp-troupe; please report it', { cause: error }),
    )
    return this.#parts.transport.close().catch(() => {})
  }

  #events(inbox: Inbox): TransportEvents {
    const { up, options } = this.#parts
    return {
      message: (message, text) => {
        if (this.#isTracing) this.#trace('received', text)
        inbox.receive(message, text.length)
      },
      noise: (sample) => this.#warnings.warn('stdout carried something that is no message', sample),
      oversize: (id, maxMessageBytes) => inbox.oversize(id, maxMessageBytes),
      failed: (id, failure, wasRefused) => inbox.failed(id, failure, wasRefused),
      sessionLost: () => {
        // Before the machine acts on it: a new handshake is of no version yet.
        this.#readiness.suspend()
        this.#tell({ type: 'session.lost' })
      },
      stream: (stream) => this.#tell({ type: 'stream.changed', stream }),
      stderr: (line) => options.forwardStderr && up({ kind: 'stderr', line }),
      spawned: (processGroupId) => up({ kind: 'spawned', processGroupId }),
      reaped: (processGroupId) => up({ kind: 'reaped', processGroupId }),
      closed: (failure) => {
        this.#end(failure ?? new TransportClosedError())
        this.#tell({ type: 'wire.closed', failure: failure && toErrorData(failure) })
      },
    }
  }

  /** A legacy server's question names no call: the time of all that are under way stands still. */
  #questionOpened(): () => void {
    const resume = this.#calls.pauseAll()
    this.#tell({ type: 'question.opened' })
    return () => {
      this.#tell({ type: 'question.settled' })
      resume()
    }
  }

  #send(message: Outbound, address?: Address): void {
    const { transport } = this.#parts
    if (this.#isTracing) this.#trace('sent', message.text)
    transport.send(
      transport.carriesHeaders ? { ...message, headers: this.#headers(message, address) } : message,
    )
  }

  #headers(message: Outbound, { version = this.#readiness.peer?.version, subject, params }: Address = {}) {
    return messageHeaders({
      version,
      method: message.kind === 'response' ? undefined : message.method,
      subject,
      params,
    })
  }

  #tellCancelled(requestId: number, reason: string): void {
    const { transport } = this.#parts
    const method = 'notifications/cancelled'
    // Where every request has an exchange of its own, a modern server hears of it by its end (H-10), a legacy one does not (G-04).
    if (transport.abandon && this.#readiness.era === 'modern') return transport.abandon(requestId)
    this.#send({ kind: 'notification', method, text: notificationText(method, { requestId, reason }) })
    transport.abandon?.(requestId)
  }

  #trace(direction: 'sent' | 'received', text: string): void {
    const atMs = this.#parts.clock.now() - this.#startedAtMs
    this.#parts.up({ kind: 'trace', trace: { direction, atMs, text } })
  }
}
