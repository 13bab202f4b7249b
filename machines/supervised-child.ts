import { assign, fromCallback, fromPromise, sendParent, setup, spawnChild, stopChild } from 'xstate'
import type { ErrorData } from '../src/error-data.ts'
import {
  backoffMs,
  type ChildSpec,
  isTooOften,
  noRestarts,
  type RestartRecord,
  withRestart,
} from './restart-rules.ts'

export interface SupervisedChildInput {
  readonly id: string
  readonly spec: ChildSpec
}

/** What is known of a child: small, serialisable, safe to show. */
export interface SupervisedChildContext extends SupervisedChildInput {
  /** Counts the incarnations; what an earlier one still says is dropped. */
  readonly generation: number
  /** Restarts since the child was added, those by hand included. */
  readonly restarts: number
  readonly record: RestartRecord
  /** How long the child waits, or last waited, before a restart. */
  readonly delayMs: number
  /** When this incarnation came up. */
  readonly upAtMs: number | undefined
  /** What a new incarnation tries first: a server that died of being probed is not probed again. */
  readonly opening: Opening
  /** How the last incarnation went down, and why. */
  readonly ended: 'well' | 'badly' | undefined
  readonly failure: ErrorData | undefined
}

export type Opening = 'probe' | 'handshake'

/** How far an incarnation had come when it went down. */
export type Phase = 'opening' | 'probing' | 'handshake' | 'serving'

export interface IncarnationInput {
  readonly id: string
  readonly generation: number
  readonly opening: Opening
}

/** Everything the machine decides by comes with an event: the same events lead to the same end. */
export type SupervisedChildEvent =
  /** Somebody wants it: its supervisor, where it starts eagerly, or a call. */
  | { readonly type: 'demand' }
  | { readonly type: 'restart' }
  | { readonly type: 'stop' }
  | { readonly type: 'incarnation.up'; readonly generation: number; readonly atMs: number }
  | IncarnationDown
  /** The last call ended; the first of new ones begins. */
  | { readonly type: 'calls.none' }
  | { readonly type: 'calls.some' }

export interface IncarnationDown {
  readonly type: 'incarnation.down'
  readonly generation: number
  readonly phase: Phase
  /** Undefined where it ended on purpose. */
  readonly failure: ErrorData | undefined
  readonly atMs: number
  /** A random number from 0 to 1. */
  readonly chance: number
}

/** What a child tells its supervisor. */
export interface ChildStopped {
  readonly type: 'child.stopped'
  readonly id: string
}

/**
 * The life of one server across its incarnations: started, watched, started again after a growing wait, given up past the limit.
 * An incarnation (a connection and its process) is an actor provided from outside, as is what ends one.
 */
export const supervisedChildMachine = setup({
  types: {} as { context: SupervisedChildContext; input: SupervisedChildInput; events: SupervisedChildEvent },
  actors: {
    /** Reports `incarnation.up` and `incarnation.down`; never throws. */
    incarnation: fromCallback<SupervisedChildEvent, IncarnationInput>(() => {}),
    /** Resolves when nothing of the incarnation is left; never rejects. */
    endIncarnation: fromPromise<void, { id: string }>(() =>
      Promise.reject(new Error('endIncarnation is not provided')),
    ),
  },
  delays: {
    backoff: ({ context }) => context.delayMs,
    idleStop: ({ context }) => context.spec.idleStopMs ?? Number.POSITIVE_INFINITY,
  },
  guards: {
    isCurrent: ({ context }, generation: number) => generation === context.generation,
    staysDown: ({ context: { spec, ended } }) =>
      spec.restart === 'temporary' || (spec.restart === 'transient' && ended === 'well'),
    isTooOften: ({ context }) => isTooOften(context.record, context.spec),
    stopsIdle: ({ context }) => context.spec.idleStopMs !== undefined,
  },
  actions: {
    countGeneration: assign({ generation: ({ context }) => context.generation + 1, upAtMs: undefined }),
    spawnIncarnation: spawnChild('incarnation', {
      id: 'incarnation',
      input: ({ context: { id, generation, opening } }) => ({ id, generation, opening }),
    }),
    stopIncarnation: stopChild('incarnation'),
    noteUp: assign((_, upAtMs: number) => ({ upAtMs })),
    noteDown: assign(({ context }, down: IncarnationDown) => afterDown(context, down)),
    countRestart: assign({ restarts: ({ context }) => context.restarts + 1 }),
    forgetFailure: assign({ failure: undefined }),
    /** By hand everything begins anew. */
    forgive: assign({ record: noRestarts, opening: 'probe' }),
    tellSupervisor: sendParent(({ context }): ChildStopped => ({ type: 'child.stopped', id: context.id })),
  },
}).createMachine({
  id: 'supervisedChild',
  context: ({ input }) => ({
    ...input,
    generation: 0,
    restarts: 0,
    record: noRestarts,
    delayMs: 0,
    upAtMs: undefined,
    opening: 'probe',
    ended: undefined,
    failure: undefined,
  }),
  options: { maxIterations: 100 },
  initial: 'stopped',
  on: {
    restart: { target: '.starting', actions: ['forgive', 'countRestart'] },
    stop: '.stopping',
  },
  states: {
    stopped: {
      initial: 'dormant',
      on: { stop: { target: '.ended', actions: 'tellSupervisor' } },
      states: {
        /** Not started yet, or stopped for want of calls. */
        dormant: { on: { demand: '#supervisedChild.starting' } },
        /** Went down and is not to be restarted, or was stopped for good. */
        ended: {},
      },
    },
    starting: {
      entry: ['countGeneration', 'spawnIncarnation'],
      on: {
        'incarnation.up': {
          guard: { type: 'isCurrent', params: ({ event }) => event.generation },
          target: 'up',
          actions: { type: 'noteUp', params: ({ event }) => event.atMs },
        },
        'incarnation.down': {
          guard: { type: 'isCurrent', params: ({ event }) => event.generation },
          target: 'wentDown',
          actions: { type: 'noteDown', params: ({ event }) => event },
        },
        restart: { target: 'stopping.toStart', actions: ['forgive', 'countRestart'] },
      },
    },
    up: {
      initial: 'needed',
      on: {
        'incarnation.down': {
          guard: { type: 'isCurrent', params: ({ event }) => event.generation },
          target: 'wentDown',
          actions: { type: 'noteDown', params: ({ event }) => event },
        },
        restart: { target: 'stopping.toStart', actions: ['forgive', 'countRestart'] },
      },
      states: {
        needed: { on: { 'calls.none': { guard: 'stopsIdle', target: 'idle' } } },
        idle: {
          on: { 'calls.some': 'needed' },
          after: { idleStop: '#supervisedChild.stopping.toSleep' },
        },
      },
    },
    wentDown: {
      entry: 'stopIncarnation',
      always: [
        { guard: 'staysDown', target: 'stopped.ended' },
        { guard: 'isTooOften', target: 'exhausted' },
        { target: 'backingOff' },
      ],
    },
    backingOff: { after: { backoff: { target: 'starting', actions: 'countRestart' } } },
    /** Past the limit: only a restart by hand helps. */
    exhausted: {},
    stopping: {
      entry: ['stopIncarnation', 'forgetFailure'],
      initial: 'forGood',
      on: {
        stop: '.forGood',
        restart: { target: '.toStart', actions: ['forgive', 'countRestart'] },
      },
      states: {
        forGood: {
          on: { stop: {}, restart: {} },
          invoke: {
            src: 'endIncarnation',
            input: ({ context }) => ({ id: context.id }),
            onDone: { target: '#supervisedChild.stopped.ended', actions: 'tellSupervisor' },
          },
        },
        toStart: {
          on: { restart: {} },
          invoke: {
            src: 'endIncarnation',
            input: ({ context }) => ({ id: context.id }),
            onDone: '#supervisedChild.starting',
          },
        },
        toSleep: {
          on: { demand: 'toStart' },
          invoke: {
            src: 'endIncarnation',
            input: ({ context }) => ({ id: context.id }),
            onDone: '#supervisedChild.stopped.dormant',
          },
        },
      },
    },
  },
})

/** Everything the end of an incarnation teaches. */
function afterDown(
  { record, spec, upAtMs, opening }: SupervisedChildContext,
  { atMs, chance, failure, phase }: IncarnationDown,
): Partial<SupervisedChildContext> {
  const next = withRestart(record, spec, atMs, upAtMs === undefined ? 0 : atMs - upAtMs)
  return {
    ended: endedWell(failure, phase) ? 'well' : 'badly',
    failure,
    record: next,
    delayMs: backoffMs(spec.backoff, next.inARow, chance),
    opening: nextOpening(opening, phase),
  }
}

/** A server may end when it has done its work, but not before. */
function endedWell(failure: ErrorData | undefined, phase: Phase): boolean {
  const isExit = failure?.name === 'ServerGoneError' && failure.fields.exitCode === 0
  return failure === undefined || (isExit && phase === 'serving')
}

/** The handshake is no better idea where it fails too. */
function nextOpening(opening: Opening, phase: Phase): Opening {
  if (phase === 'probing') return 'handshake'
  return phase === 'handshake' ? 'probe' : opening
}
