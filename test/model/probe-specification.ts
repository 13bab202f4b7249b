import { setup } from 'xstate'
import { first, second } from './probe-answers.ts'
import type { Expectation, ExpectedFailure, SpecificationEvent } from './probe-expectation.ts'

const nothing: Expectation = {
  pinned: 'auto',
  hasOlderWire: false,
  wire: 'given',
  asked: [],
  listed: undefined,
  era: undefined,
  version: undefined,
  failure: undefined,
}

const spec = setup({
  types: {} as { context: Expectation; events: SpecificationEvent },
  guards: {
    modernOnly: ({ context }) => context.pinned === 'modern',
    legacyOnly: ({ context }) => context.pinned === 'legacy',
    listed: ({ context }) => context.listed !== undefined,
    askedOnce: ({ context }) => context.asked.length === 1,
    olderWireLeft: ({ context }) => context.hasOlderWire && context.wire === 'given',
  },
})

/** Section 4 of the design, line by line, in its own words: no code of the judgement is used here. */
export const probeSpecification = spec.createMachine({
  id: 'probe',
  context: nothing,
  initial: 'idle',
  states: {
    idle: {
      on: {
        'open, auto': { target: 'opening' },
        'open, modern only': { target: 'opening', actions: learn({ pinned: 'modern' }) },
        'open, legacy only': { target: 'opening', actions: learn({ pinned: 'legacy' }) },
        'open, legacy only, over HTTP': {
          target: 'opening',
          actions: learn({ pinned: 'legacy', hasOlderWire: true }),
        },
      },
    },
    opening: {
      on: {
        'wire opens': [{ guard: 'legacyOnly', target: 'legacyHandshake' }, { target: 'probing' }],
        'wire refuses to open': fails({ name: 'SpawnFailedError' }),
        silence: fails({ name: 'TimeoutError', method: 'connect' }),
        ...endings(),
      },
    },
    probing: {
      initial: 'first',
      on: {
        'names first': isModern(first),
        'names second': isModern(second),
        'names both, ours last': isModern(first),
        'names none of ours': isLegacy(['2031-01-01'], ['2031-01-01']),
        'names no version': isLegacy([], []),
        'malformed result': isLegacy([]),
        'refused, names first': isUnsupported([first]),
        'refused, names second': isUnsupported([second, '2025-11-25']),
        'refused, names both': isUnsupported([first, second]),
        'refused, names legacy': isLegacy(['2025-06-18', '2025-11-25']),
        'refused, names legacy and first': isUnsupported(['2025-11-25', first]),
        'refused, names unknown': isUnsupported(['2031-01-01']),
        'refused, malformed data': isUnsupported([]),
        'method not found': isLegacy([]),
        'parse error without id': isLegacy([]),
        'HTTP 404': isLegacy([]),
        silence: [
          { guard: 'modernOnly', ...fails({ name: 'TimeoutError', method: 'server/discover' }) },
          { target: '#probe.legacyHandshake.afterSilence' },
        ],
        'exchange fails': fails({ name: 'HttpError' }),
        ...endings(),
      },
      // Two refusals that lead to the same question are walked once: the others are forbidden here, and stand in the table's test.
      states: {
        first: {
          entry: learn({ asked: [first] }),
          on: {
            ...modernErrors(first),
            'refused, names first': 'firstAgain',
            'refused, names legacy and first': {},
            'refused, names second': {},
            'refused, names both': 'second',
          },
        },
        firstAgain: {
          entry: learn({ asked: [first, first] }),
          on: {
            ...modernErrors(first),
            'refused, names second': 'firstAgainThenSecond',
            'refused, names both': {},
          },
        },
        second: {
          entry: learn({ asked: [first, second] }),
          on: { ...modernErrors(second), 'refused, names second': 'secondAgain', 'refused, names both': {} },
        },
        secondAgain: { entry: learn({ asked: [first, second, second] }), on: modernErrors(second) },
        firstAgainThenSecond: {
          entry: learn({ asked: [first, first, second] }),
          on: { ...modernErrors(second), 'refused, names second': {}, 'refused, names both': 'eachTwice' },
        },
        eachTwice: { entry: learn({ asked: [first, first, second, second] }), on: modernErrors(second) },
      },
    },
    /** A modern server was too slow for its probe: it gets one more, at our first version. Only what tells of that is modelled here. */
    probingAgain: {
      on: {
        'names first': isModern(first),
        'refused, names unknown': isUnsupported(['2031-01-01']),
        'method not found': isLegacy([]),
        silence: { target: '#probe.legacyHandshake.afterSecondSilence' },
      },
    },
    legacyHandshake: {
      initial: 'fresh',
      on: {
        'agrees on 2025-11-25': agrees('2025-11-25'),
        'agrees on 2024-11-05': agrees('2024-11-05'),
        'insists on unknown': refusedToo(['2031-01-01']),
        'answers without version': refusedToo([]),
        'refuses, names versions': refusedToo(['1.0']),
        refuses: [{ guard: 'listed', ...refusedToo([]) }, fails({ name: 'ProtocolError' })],
        'HTTP 405': [
          { guard: 'listed', ...refusedToo([]) },
          { guard: 'olderWireLeft', target: 'fallingBack' },
          fails({ name: 'HttpError' }),
        ],
        silence: fails({ name: 'TimeoutError', method: 'initialize' }),
        'exchange fails': fails({ name: 'HttpError' }),
        ...endings(),
      },
      states: {
        fresh: { on: { 'refuses, names first': refusedToo([first]) } },
        afterSilence: { on: { ...wasMisjudged(), 'late probe answer': 'afterLateAnswer' } },
        afterLateAnswer: { on: wasMisjudged() },
        afterSecondSilence: { on: { 'refuses, names first': refusedToo([first]) } },
      },
    },
    fallingBack: {
      on: {
        'older wire opens': { target: 'legacyHandshake', actions: learn({ wire: 'older' }) },
        'older wire is not offered': fails({ name: 'HttpError' }),
        silence: fails({ name: 'TimeoutError', method: 'connect' }),
        ...endings(),
      },
    },
    modern: { type: 'final' },
    legacy: { type: 'final' },
    closing: { type: 'final' },
  },
})

function learn(known: Partial<Expectation>) {
  return spec.assign(known)
}

function fails(failure: ExpectedFailure) {
  return { target: '#probe.closing', actions: learn({ failure }) }
}

function endings() {
  return { 'server dies': fails({ name: 'ServerGoneError' }), 'host closes': '#probe.closing' }
}

function isModern(version: string) {
  return { target: '#probe.modern', actions: learn({ era: 'modern', version }) }
}

/** -32020 and -32021: only a modern server says so, and it spoke about the version just asked. */
function modernErrors(version: string) {
  return { 'header mismatch': isModern(version), 'capability missing': isModern(version) }
}

function isUnsupported(supported: readonly string[]) {
  return fails({ name: 'UnsupportedVersionError', supported })
}

/** The handshake, unless only modern servers are wanted. */
function isLegacy(named: readonly string[], listed?: readonly string[]) {
  return [
    { guard: 'modernOnly' as const, ...isUnsupported(named) },
    { target: '#probe.legacyHandshake', actions: learn({ listed }) },
  ]
}

/** Only a modern server names one of ours where it refuses the handshake. Modelled for the simplest way there. */
function wasMisjudged() {
  return { 'refuses, names first': { guard: 'askedOnce' as const, target: '#probe.probingAgain' } }
}

function agrees(version: string) {
  return { target: '#probe.legacy', actions: learn({ era: 'legacy', version }) }
}

/** A refused handshake names what was listed before, and what it names itself. */
function refusedToo(named: readonly string[]) {
  return {
    target: '#probe.closing',
    actions: spec.assign(({ context }) => ({
      failure: {
        name: 'UnsupportedVersionError',
        supported: [...new Set([...(context.listed ?? []), ...named])],
      },
    })),
  }
}
