import { enqueueActions, setup } from 'xstate'
import type { ChildSpec } from './restart-rules.ts'
import { type ChildStopped, supervisedChildMachine } from './supervised-child.ts'

export interface RegistryContext {
  /** The children, in the order they were added. */
  readonly order: readonly string[]
}

export type RegistryEvent =
  | { readonly type: 'child.add'; readonly id: string; readonly spec: ChildSpec }
  | { readonly type: 'child.remove'; readonly id: string }
  | ChildStopped
  | { readonly type: 'drain' }

/** The supervisor: its children live and die by themselves; drained, they are stopped one by one, the last that came first. */
export const registryMachine = setup({
  types: {} as { context: RegistryContext; events: RegistryEvent },
  actors: { supervisedChild: supervisedChildMachine },
  guards: {
    isEmpty: ({ context }) => context.order.length === 0,
  },
  actions: {
    spawnChild: enqueueActions(({ enqueue }, { id, spec }: { id: string; spec: ChildSpec }) => {
      enqueue.spawnChild('supervisedChild', { id, input: { id, spec } })
      enqueue.assign({ order: ({ context }) => [...context.order, id] })
      if (spec.start === 'eager') enqueue.sendTo(id, { type: 'demand' })
    }),
    askToStop: enqueueActions(({ enqueue }, id: string) => enqueue.sendTo(id, { type: 'stop' })),
    askLastToStop: enqueueActions(({ context, enqueue }) => {
      const last = context.order.at(-1)
      if (last !== undefined) enqueue.sendTo(last, { type: 'stop' })
    }),
    forget: enqueueActions(({ context, enqueue }, id: string) => {
      enqueue.assign({ order: context.order.filter((child) => child !== id) })
      enqueue.stopChild(id)
    }),
  },
}).createMachine({
  id: 'registry',
  context: { order: [] },
  options: { maxIterations: 100 },
  initial: 'running',
  on: {
    'child.stopped': { actions: { type: 'forget', params: ({ event }) => event.id } },
  },
  states: {
    running: {
      on: {
        'child.add': { actions: { type: 'spawnChild', params: ({ event }) => event } },
        'child.remove': { actions: { type: 'askToStop', params: ({ event }) => event.id } },
        drain: 'draining',
      },
    },
    draining: {
      entry: 'askLastToStop',
      on: {
        'child.stopped': {
          target: 'draining',
          reenter: true,
          actions: { type: 'forget', params: ({ event }) => event.id },
        },
      },
      always: { guard: 'isEmpty', target: 'stopped' },
    },
    stopped: { type: 'final' },
  },
})
