import { assign, enqueueActions, fromPromise, setup, stopChild } from 'xstate'
import type { ErrorData } from '../src/error-data.ts'
import { judgeHandshake } from '../src/protocol/handshake.ts'
import type { ProbeOutcome } from '../src/protocol/probe.ts'
import type { ConnectionEvent, HandshakeAnswer, ProbeAnswer } from './connection-events.ts'
import type { ConnectionContext, ConnectionInput, ProbeEvidence } from './connection-facts.ts'
import * as facts from './connection-facts.ts'
import {
  type RoundTripContext,
  type RoundTripInput,
  type RoundTripOutcome,
  roundTripMachine,
} from './round-trip.ts'

/** Why a connection ends before its server was known. */
const failedToOpen = {
  type: 'fail',
  params: ({ event }: { event: { error: unknown } }) => facts.failureOf(event.error),
} as const

const closedBeforeAnswer = (asked: ProbeEvidence['asked']) =>
  ({
    type: 'failUnanswered',
    params: ({ event }: { event: { failure: ErrorData | undefined } }) => ({ asked, failure: event.failure }),
  }) as const

const failedBeforeAnswer = (asked: ProbeEvidence['asked']) =>
  ({
    type: 'failUnanswered',
    params: ({ event }: { event: { error: unknown } }) => ({ asked, failure: facts.failureOf(event.error) }),
  }) as const

const notProvided = (name: string) => () => Promise.reject(new Error(`${name} is not provided`))

/**
 * The life of one connection. It decides; what it decides about (the wire, requests, hooks) is done by the actors and
 * actions provided to it. Ordinary calls never reach it: they are correlated beside it while it is `legacy` or `modern`.
 */
export const connectionMachine = setup({
  types: {} as { context: ConnectionContext; input: ConnectionInput; events: ConnectionEvent },
  actors: {
    openTransport: fromPromise<void>(notProvided('openTransport')),
    closeTransport: fromPromise<void>(notProvided('closeTransport')),
    discover: fromPromise<ProbeAnswer, { version: string }>(notProvided('discover')),
    initialize: fromPromise<HandshakeAnswer>(notProvided('initialize')),
    fallBack: fromPromise<void>(notProvided('fallBack')),
    roundTrip: roundTripMachine,
  },
  delays: {
    connectTimeout: ({ context }) => facts.budget(context.options.connectTimeoutMs),
    probeTimeout: ({ context }) => facts.budget(context.options.probeTimeoutMs),
    handshakeTimeout: ({ context }) => facts.budget(context.options.requestTimeoutMs),
    closeTimeout: ({ context }) => context.options.closeTimeoutMs ?? 30_000,
  },
  guards: {
    legacyOnly: ({ context }) => context.options.era === 'legacy',
    modernOnly: ({ context }) => context.options.era === 'modern',
    isModern: ({ context }, outcome: ProbeOutcome) => facts.verdict(context, outcome) === 'modern',
    askAgain: ({ context }, outcome: ProbeOutcome) => facts.verdict(context, outcome) === 'probeAgain',
    isLegacy: ({ context }, outcome: ProbeOutcome) =>
      facts.verdict(context, outcome) === 'legacy' && context.options.era !== 'modern',
    agreed: (_, answer: HandshakeAnswer) => judgeHandshake(answer.outcome).kind === 'agreed',
    wasMisjudged: ({ context }, answer: HandshakeAnswer) => facts.wasMisjudged(context, answer),
    olderWireLeft: ({ context }, answer: HandshakeAnswer) =>
      answer.outcome.kind === 'http' && facts.mayTakeOlderWire(context),
    beganAsTask: (_, beganAs: RoundTripContext['beganAs']) => beganAs === 'task',
    neverHolds: ({ context }) => context.sessionLosses >= facts.mostSessionLosses,
    someWait: ({ context }) => context.waiting > 0,
    noneWaits: ({ context }) => context.waiting === 0,
  },
  actions: {
    forgetProbe: assign({ asked: [] }),
    chooseVersion: assign(({ context }) => facts.nextAsked(context)),
    conclude: assign(({ context }, answer: ProbeAnswer) => facts.concluded(context, answer)),
    adopt: assign(({ context }, answer: HandshakeAnswer) => facts.shaken(context, answer)),
    failUnanswered: assign(
      ({ context }, params: { asked: ProbeEvidence['asked']; failure: ErrorData | undefined }) =>
        facts.unanswered(context, params.asked, params.failure),
    ),
    countLoss: assign({ sessionLosses: ({ context }) => context.sessionLosses + 1 }),
    forgetLosses: assign({ sessionLosses: 0 }),
    failUnstable: assign(() => ({ failure: facts.unstableFailure() })),
    noteRefusal: assign(({ context }, answer: HandshakeAnswer) => facts.noted(context, answer)),
    takeOlderWire: assign({ wire: 'older' }),
    noteStream: assign((_, stream: NonNullable<ConnectionContext['stream']>) => ({ stream })),
    fail: assign((_, failure: ErrorData | undefined) => ({ failure })),
    failSilent: assign(({ context }, method: string) => ({ failure: facts.silentFailure(context, method) })),
    wait: assign({ waiting: ({ context }) => context.waiting + 1 }),
    resume: assign({ waiting: ({ context }) => Math.max(0, context.waiting - 1) }),
    beginRoundTrip: enqueueActions(({ context, enqueue }, params: Omit<RoundTripInput, 'maxInputRounds'>) => {
      enqueue.spawnChild('roundTrip', {
        id: params.call,
        input: { ...params, maxInputRounds: context.options.maxInputRounds },
      })
    }),
    abandonRoundTrip: enqueueActions(({ enqueue, self }, call: string) => {
      const child = self.getSnapshot().children[call]
      if (child) enqueue.sendTo(child, { type: 'abandon' })
    }),
    /** Provided: gives the call of a finished round trip its answer or error. */
    settleCall: (_, _params: { call: string; outcome: RoundTripOutcome }) => {},
  },
}).createMachine({
  id: 'connection',
  context: ({ input }) => facts.initialContext(input),
  initial: 'idle',
  on: {
    close: '.closing',
    'wire.closed': { target: '.closing', actions: { type: 'fail', params: ({ event }) => event.failure } },
    // Also while the server is probed again: an answer to what was sent before may still come.
    'call.inputRequired': { actions: [{ type: 'beginRoundTrip', params: ({ event }) => event }, 'wait'] },
    // A task waits for input only while it asks.
    'call.becameTask': { actions: { type: 'beginRoundTrip', params: ({ event }) => event } },
    'call.abandoned': { actions: { type: 'abandonRoundTrip', params: ({ event }) => event.call } },
    'roundTrip.settled': [
      {
        guard: { type: 'beganAsTask', params: ({ event }) => event.beganAs },
        actions: [{ type: 'settleCall', params: ({ event }) => event }, stopChild(({ event }) => event.call)],
      },
      {
        actions: [
          { type: 'settleCall', params: ({ event }) => event },
          stopChild(({ event }) => event.call),
          'resume',
        ],
      },
    ],
    'stream.changed': { actions: { type: 'noteStream', params: ({ event }) => event.stream } },
    'question.opened': { actions: 'wait' },
    'question.settled': { actions: 'resume' },
  },
  states: {
    idle: { on: { open: 'opening', close: 'closed' } },
    opening: {
      invoke: {
        src: 'openTransport',
        onDone: [{ guard: 'legacyOnly', target: 'legacyHandshake' }, { target: 'probing' }],
        onError: { target: 'closing', actions: failedToOpen },
      },
      after: {
        connectTimeout: { target: 'closing', actions: { type: 'failSilent', params: 'connect' } },
      },
    },
    probing: {
      on: {
        'wire.closed': { target: 'closing', actions: closedBeforeAnswer('server/discover') },
      },
      entry: 'chooseVersion',
      invoke: {
        src: 'discover',
        input: ({ context }) => ({ version: context.asked.at(-1) ?? '' }),
        onDone: [
          {
            guard: { type: 'isModern', params: ({ event }) => event.output.outcome },
            target: 'modern',
            actions: { type: 'conclude', params: ({ event }) => event.output },
          },
          {
            guard: { type: 'askAgain', params: ({ event }) => event.output.outcome },
            target: 'probing',
            reenter: true,
            actions: { type: 'conclude', params: ({ event }) => event.output },
          },
          {
            guard: { type: 'isLegacy', params: ({ event }) => event.output.outcome },
            target: 'legacyHandshake',
            actions: { type: 'conclude', params: ({ event }) => event.output },
          },
          { target: 'closing', actions: { type: 'conclude', params: ({ event }) => event.output } },
        ],
        onError: { target: 'closing', actions: failedBeforeAnswer('server/discover') },
      },
      after: {
        probeTimeout: [
          {
            guard: 'modernOnly',
            target: 'closing',
            actions: [
              { type: 'conclude', params: ({ context }) => facts.silence(context) },
              { type: 'failSilent', params: 'server/discover' },
            ],
          },
          {
            target: 'legacyHandshake',
            actions: { type: 'conclude', params: ({ context }) => facts.silence(context) },
          },
        ],
      },
    },
    legacyHandshake: {
      on: {
        'wire.closed': { target: 'closing', actions: closedBeforeAnswer('initialize') },
      },
      invoke: {
        src: 'initialize',
        onDone: [
          {
            guard: { type: 'agreed', params: ({ event }) => event.output },
            target: 'legacy',
            actions: { type: 'adopt', params: ({ event }) => event.output },
          },
          {
            guard: { type: 'wasMisjudged', params: ({ event }) => event.output },
            target: 'probing',
            actions: [{ type: 'noteRefusal', params: ({ event }) => event.output }, 'forgetProbe'],
          },
          {
            guard: { type: 'olderWireLeft', params: ({ event }) => event.output },
            target: 'fallingBack',
            actions: { type: 'noteRefusal', params: ({ event }) => event.output },
          },
          { target: 'closing', actions: { type: 'adopt', params: ({ event }) => event.output } },
        ],
        onError: { target: 'closing', actions: failedBeforeAnswer('initialize') },
      },
      after: {
        handshakeTimeout: {
          target: 'closing',
          actions: {
            type: 'failUnanswered',
            params: ({ context }) => ({
              asked: 'initialize',
              failure: facts.silentFailure(context, 'initialize'),
            }),
          },
        },
      },
    },
    fallingBack: {
      invoke: {
        src: 'fallBack',
        onDone: { target: 'legacyHandshake', actions: 'takeOlderWire' },
        onError: { target: 'closing', actions: failedToOpen },
      },
      after: {
        connectTimeout: { target: 'closing', actions: { type: 'failSilent', params: 'connect' } },
      },
    },
    legacy: {
      initial: 'ready',
      on: {
        'session.lost': [
          { guard: 'neverHolds', target: 'closing', actions: 'failUnstable' },
          { target: 'legacyHandshake', actions: 'countLoss' },
        ],
        'session.proven': { actions: 'forgetLosses' },
      },
      states: {
        ready: { always: { guard: 'someWait', target: 'inputRequired' } },
        inputRequired: { always: { guard: 'noneWaits', target: 'ready' } },
      },
    },
    modern: {
      initial: 'ready',
      on: {
        'version.refused': { target: 'probing', actions: 'forgetProbe' },
      },
      states: {
        ready: { always: { guard: 'someWait', target: 'inputRequired' } },
        inputRequired: { always: { guard: 'noneWaits', target: 'ready' } },
      },
    },
    closing: {
      on: { close: {}, 'wire.closed': {}, 'call.inputRequired': {}, 'call.becameTask': {} },
      invoke: { src: 'closeTransport', onDone: 'closed', onError: 'closed' },
      after: { closeTimeout: 'closed' },
    },
    closed: { type: 'final' },
  },
})
