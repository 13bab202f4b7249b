import { and, assign, fromPromise, not, raise, setup, stateIn } from 'xstate'

const work = fromPromise(() => Promise.resolve())

/** A machine with one of everything a statechart can hold. */
export const kilnMachine = setup({
  types: {} as { context: { rounds: number } },
  actors: { ignite: work, watch: work },
  guards: { hot: () => false, full: () => false, atLeast: (_, degrees: number) => degrees > 0 },
  actions: { lock: () => {}, unlock: () => {}, record: () => {} },
  delays: { soak: 60_000 },
}).createMachine({
  id: 'kiln',
  context: { rounds: 0 },
  initial: 'cold',
  on: {
    STOP: { target: '.off', actions: 'record' },
    'sensor.*': { actions: 'record' },
    RESET: { target: '#kiln', reenter: true },
  },
  states: {
    cold: {
      tags: ['safe'],
      description: 'Nothing burns.',
      always: { guard: and(['hot', not('full')]), target: 'firing' },
      on: {
        START: [
          { guard: 'full', target: 'lighting' },
          { guard: { type: 'atLeast', params: 900 }, target: 'firing.heat' },
          { actions: ['record', raise({ type: 'RETRY' })] },
        ],
        KNOCK: undefined,
        OPEN: [{ guard: 'full', target: 'off', actions: 'record' }, { target: 'off' }],
      },
      after: { 500: 'off' },
    },
    lighting: {
      invoke: {
        src: 'ignite',
        onDone: [
          { guard: 'hot', target: 'firing' },
          { target: 'lighting', reenter: true },
        ],
        onError: [{ guard: 'full', target: 'off' }, { target: 'cold' }],
      },
      after: { soak: 'cold' },
    },
    firing: {
      type: 'parallel',
      entry: ['lock', assign({ rounds: ({ context }) => context.rounds + 1 })],
      exit: 'unlock',
      on: { '*': 'paused', LATER: 'firing.atWhim' },
      onDone: 'off',
      states: {
        heat: {
          initial: 'rising',
          states: {
            rising: { on: { PEAK: { guard: ({ context }) => context.rounds > 1, target: 'held' } } },
            held: { on: { DROP: 'rising', DONE: 'burnt' } },
            burnt: { type: 'final' },
          },
        },
        air: {
          id: 'damper.main',
          initial: 'shut',
          invoke: { id: 'eye', src: 'watch', onSnapshot: { actions: 'record' } },
          states: {
            shut: { on: { VENT: { guard: stateIn({ firing: { heat: 'held' } }), target: 'open' } } },
            open: { on: { VENT: '#damper.main'.replace('.', '\\.') } },
          },
        },
        atWhim: {},
        memory: { type: 'history', history: 'deep', target: 'heat' },
      },
    },
    paused: { on: { RESUME: 'firing.memory' } },
    off: { type: 'final' },
  },
})
