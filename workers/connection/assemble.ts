import { fromPromise } from 'xstate'
import { type ConnectionEvent, connectionMachine, roundTripMachine } from '../../machines/index.ts'
import type { Clock } from '../../src/clock.ts'
import type { Transport, TransportEvents } from '../../src/transports/transport.ts'
import { Warnings } from '../../src/warnings.ts'
import type { HookDesk, Uplink } from '../frames.ts'
import { Calls } from './calls.ts'
import { Correlator } from './correlator.ts'
import { Exchanges } from './exchange.ts'
import { Inbox } from './inbox.ts'
import { Inspection } from './inspection.ts'
import { Introduction } from './introduction.ts'
import { Mending } from './mending.ts'
import type { ConnectionOptions } from './options.ts'
import { OutputSchemas } from './output-schemas.ts'
import { ProgressTokens } from './progress-tokens.ts'
import { Questions } from './questions.ts'
import { Readiness } from './readiness.ts'
import { ResultCache } from './result-cache.ts'
import { RoundTrips, roundTripKey } from './round-trips.ts'
import { Sender } from './sender.ts'
import { ServerRequests } from './server-requests.ts'
import { Services } from './services.ts'
import { Stamps } from './stamps.ts'
import { Subscriptions } from './subscriptions.ts'
import { Tasks } from './tasks.ts'
import { ToolHeaders } from './tool-headers.ts'

export interface ConnectionParts {
  readonly options: ConnectionOptions
  readonly transport: Transport
  readonly desk: HookDesk
  readonly clock: Clock
  readonly up: (frame: Uplink) => void
}

export type Assembly = ReturnType<typeof assemble>

/** Everything that stands beside the machine of one connection, made and introduced to each other. `tell` reaches the machine. */
export function assemble(
  { options, transport, desk, clock, up }: ConnectionParts,
  tell: (event: ConnectionEvent) => void,
) {
  const budget = { timeoutMs: options.requestTimeoutMs, maxTotalTimeoutMs: options.maxTotalTimeoutMs }
  const readiness = new Readiness(() => tell({ type: 'session.proven' }))
  const warnings = new Warnings((message) => up({ kind: 'warning', message }))
  const inspection = new Inspection((sight) => up({ kind: 'sight', sight }), transport.secrets)
  const sender = new Sender({ transport, readiness, clock, up, isTracing: options.trace, inspection })
  const tellCancelled = (requestId: number, reason: string) => sender.tellCancelled(requestId, reason)
  const cache = new ResultCache(clock, { keepsPrivate: options.keepsPrivate })
  const forget = () => {
    cache.clear()
    up({ kind: 'toolsChanged' })
  }
  const onVersionRefused = () => {
    // The server is another one than it was.
    forget()
    tell({ type: 'version.refused' })
  }
  const correlator = new Correlator((message, address) => sender.send(message, address))
  const mending: Mending = new Mending({
    readiness,
    onVersionRefused,
    refreshTools: transport.carriesHeaders ? () => services.refreshTools() : undefined,
  })
  const exchanges = new Exchanges({
    correlator,
    clock,
    mending,
    tellCancelled,
    abandon: (requestId) => transport.abandon?.(requestId),
  })
  const questions = new Questions(desk, options.hooks, options.clientCapabilities, warnings)
  const schemas = new OutputSchemas(warnings)
  const toolHeaders = transport.carriesHeaders ? new ToolHeaders(warnings) : undefined
  const tokens = new ProgressTokens()
  const tasks = options.tasks ? new Tasks(exchanges, budget, up) : undefined
  const subscriptions = new Subscriptions({
    clock,
    correlator,
    exchanges,
    readiness,
    mending,
    budget,
    up,
    tellCancelled,
    onReopened: forget,
  })
  const stamps = new Stamps(options)
  const services = new Services({
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
    maxResultChars: options.maxResultChars,
    onInputRequired: (call, asks) => tell({ type: 'call.inputRequired', call: roundTripKey(call), asks }),
    onTask: (call, asks, pollIntervalMs) =>
      tell({ type: 'call.becameTask', call: roundTripKey(call), asks, pollIntervalMs }),
    onAbandoned: (call) => tell({ type: 'call.abandoned', call: roundTripKey(call) }),
    mending,
  })
  const roundTrips = new RoundTrips(calls, correlator, mending, questions, tasks, tellCancelled)
  // A legacy server's question names no call: the time of all that are under way stands still.
  const onQuestion = () => {
    const resume = calls.pauseAll()
    tell({ type: 'question.opened' })
    return () => {
      tell({ type: 'question.settled' })
      resume()
    }
  }
  const serverRequests = new ServerRequests({
    questions,
    send: (message) => sender.send(message),
    onQuestion,
    claim: () => calls.commonClaim(),
  })
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
  const introduction = new Introduction({
    options,
    exchanges,
    clock,
    send: (message, address) => sender.send(message, address),
  })
  return {
    calls,
    correlator,
    inbox,
    inspection,
    introduction,
    readiness,
    roundTrips,
    sender,
    serverRequests,
    services,
    stamps,
    subscriptions,
    warnings,
  }
}

/** The machine with its actors provided: what it decides is done here. */
export function provided(
  { introduction, roundTrips }: Assembly,
  transport: Transport,
  events: TransportEvents,
): typeof connectionMachine {
  return connectionMachine.provide({
    actors: {
      openTransport: fromPromise(({ signal }) => transport.open(events, signal)),
      closeTransport: fromPromise(() => transport.close()),
      discover: fromPromise(({ input, signal }) => introduction.discover(input.version, signal)),
      initialize: fromPromise(({ signal }) => introduction.initialize(signal)),
      fallBack: fromPromise(async ({ signal }) => transport.fallBack?.(signal)),
      roundTrip: roundTripMachine.provide({
        actors: {
          collectInputs: fromPromise(({ input, signal }) => roundTrips.collect(input.call, signal)),
          retry: fromPromise(({ input, signal }) => roundTrips.retry(input.call, signal)),
          pollTask: fromPromise(({ input, signal }) => roundTrips.poll(input.call, signal)),
          updateTask: fromPromise(({ input, signal }) => roundTrips.update(input.call, signal)),
        },
      }),
    },
    actions: { settleCall: (_, { call, outcome }) => roundTrips.settle(call, outcome) },
  })
}
