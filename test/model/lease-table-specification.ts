import { setup } from 'xstate'
import type { LeaseStatus } from '../../src/index.ts'

export type LeaseTableSpecificationEvent = {
  readonly type:
    | 'a acquires'
    | 'a is refused'
    | 'a writes'
    | 'the write lands'
    | 'a releases'
    | 'the lease runs out'
    | 'b waits'
    | 'b gives up'
    | 'the wait runs out'
    | 'b is gone'
    | 'b releases'
    | 'all is released'
}

export interface LeaseTableExpectation {
  readonly state: LeaseStatus['state']
  readonly lease?: { readonly holder: 'a' | 'b'; readonly pins: number; readonly releasePending: boolean }
}

const a = { holder: 'a', pins: 0, releasePending: false } as const
const written = { ...a, pins: 1 } as const
const landing = { ...written, releasePending: true } as const

/** What is seen of the table in each state. */
export const expectations = {
  free: { state: 'free' },
  held: { state: 'free', lease: a },
  written: { state: 'free', lease: written },
  landing: { state: 'free', lease: landing },
  heldAndWanted: { state: 'contended', lease: a },
  writtenAndWanted: { state: 'contended', lease: written },
  landingAndWanted: { state: 'contended', lease: landing },
  passedOn: { state: 'free', lease: { ...a, holder: 'b' } },
  drained: { state: 'drained' },
  drainedButLanding: { state: 'drained', lease: landing },
} as const satisfies { readonly [state: string]: LeaseTableExpectation }

const spec = setup({ types: {} as { events: LeaseTableSpecificationEvent } })

/** One path that two agents want. */
export const leaseTableSpecification = spec.createMachine({
  id: 'leaseTable',
  initial: 'free',
  states: {
    free: { on: { 'a acquires': 'held', 'all is released': 'drained' } },
    held: {
      on: {
        'a writes': 'written',
        'a releases': 'free',
        'the lease runs out': 'free',
        'b waits': 'heldAndWanted',
        'all is released': 'drained',
      },
    },
    written: {
      on: {
        'the write lands': 'held',
        'a releases': 'landing',
        'the lease runs out': 'landing',
        'b waits': 'writtenAndWanted',
        'all is released': 'drainedButLanding',
      },
    },
    landing: {
      on: {
        'the write lands': 'free',
        'a acquires': 'written',
        'b waits': 'landingAndWanted',
        'all is released': 'drainedButLanding',
      },
    },
    heldAndWanted: {
      on: {
        'a acquires': 'heldAndWanted',
        'a writes': 'writtenAndWanted',
        'a releases': 'passedOn',
        'the lease runs out': 'passedOn',
        'b gives up': 'held',
        'b is gone': 'held',
        'the wait runs out': 'held',
        'all is released': 'drained',
      },
    },
    writtenAndWanted: {
      on: {
        'the write lands': 'heldAndWanted',
        'a releases': 'landingAndWanted',
        'the lease runs out': 'landingAndWanted',
        'b gives up': 'written',
        'b is gone': 'written',
        'the wait runs out': 'written',
        'all is released': 'drainedButLanding',
      },
    },
    landingAndWanted: {
      on: {
        'the write lands': 'passedOn',
        'a is refused': 'landingAndWanted',
        'b gives up': 'landing',
        'b is gone': 'landing',
        'the wait runs out': 'landing',
        'all is released': 'drainedButLanding',
      },
    },
    passedOn: {
      on: {
        'a is refused': 'passedOn',
        'b releases': 'free',
        'b is gone': 'free',
        'all is released': 'drained',
      },
    },
    drained: { on: { 'a is refused': 'drained' } },
    drainedButLanding: { on: { 'a is refused': 'drainedButLanding', 'the write lands': 'drained' } },
  },
})
