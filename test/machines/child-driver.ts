import { createActor, fromCallback, fromPromise } from 'xstate'
import {
  type ChildSpec,
  type IncarnationDown,
  type IncarnationInput,
  type SupervisedChildEvent,
  supervisedChildMachine,
} from '../../machines/index.ts'
import { TestClock } from '../../src/testing/index.ts'

export const usualSpec: ChildSpec = {
  restart: 'permanent',
  maxRestarts: 5,
  withinMs: 60_000,
  backoff: { initialMs: 250, factor: 2, maxMs: 30_000, jitter: 0.2 },
  start: 'eager',
  idleStopMs: undefined,
}

export const death = { name: 'ServerGoneError', message: 'exited with code 3', fields: { exitCode: 3 } }
export const exit = { name: 'ServerGoneError', message: 'exited with code 0', fields: { exitCode: 0 } }

/** A supervised child whose incarnations do nothing but what a test says. */
export class ChildDriver {
  readonly clock = new TestClock()
  /** What was started, and when. */
  readonly starts: (IncarnationInput & { readonly atMs: number })[] = []
  /** Incarnations told to go. */
  stopped = 0
  /** What the supervisor was told. */
  readonly told: unknown[] = []
  readonly actor
  #ending: (() => void)[] = []

  constructor(spec: Partial<ChildSpec> = {}) {
    const machine = supervisedChildMachine.provide({
      actors: {
        incarnation: fromCallback<SupervisedChildEvent, IncarnationInput>(({ input }) => {
          this.starts.push({ ...input, atMs: this.clock.now() })
          return () => {
            this.stopped += 1
          }
        }),
        endIncarnation: fromPromise(() => new Promise<void>((resolve) => this.#ending.push(resolve))),
      },
      actions: { tellSupervisor: ({ context }) => this.told.push(context.id) },
    })
    this.actor = createActor(machine, {
      input: { id: 'child', spec: { ...usualSpec, ...spec } },
      clock: this.clock,
    }).start()
  }

  get state() {
    return this.actor.getSnapshot().value
  }

  get context() {
    return this.actor.getSnapshot().context
  }

  get waitsMs(): (number | undefined)[] {
    return this.starts.map(({ atMs }, index) => atMs - (this.starts[index - 1]?.atMs ?? 0))
  }

  demand(): this {
    this.actor.send({ type: 'demand' })
    return this
  }

  up(generation = this.context.generation): this {
    this.actor.send({ type: 'incarnation.up', generation, atMs: this.clock.now() })
    return this
  }

  down(details: Partial<IncarnationDown> = {}): this {
    const { generation } = this.context
    const atMs = this.clock.now()
    this.actor.send({
      type: 'incarnation.down',
      generation,
      phase: 'serving',
      failure: death,
      atMs,
      chance: 0,
      ...details,
    })
    return this
  }

  /** Down, and through the wait to the next start. */
  fail(details: Partial<IncarnationDown> = {}): this {
    this.down(details)
    this.clock.advance(this.clock.nextInMs ?? 0)
    return this
  }

  send(event: SupervisedChildEvent): this {
    this.actor.send(event)
    return this
  }

  /** What was told to go is gone. */
  async gone(): Promise<void> {
    for (const resolve of this.#ending.splice(0)) resolve()
    await this.clock.settle()
  }
}
