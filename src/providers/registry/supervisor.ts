import { type Actor, createActor, fromCallback, fromPromise } from 'xstate'
import type { ChildSpec, IncarnationInput, SupervisedChildEvent } from '../../../machines/index.ts'
import { registryMachine, supervisedChildMachine } from '../../../machines/index.ts'
import { harmless } from '../../client/inspection/inspect.ts'
import type { ClientOptions } from '../../client/options.ts'
import type { Clock } from '../../clock.ts'
import type { ServerLife } from './server-life.ts'

export interface SupervisorParts {
  readonly clock: Clock
  readonly inspect: ClientOptions['inspect']
  readonly warn: (message: string) => void
}

/** The host's end of the registry machine: gives its children bodies, and says when they are gone. */
export class Supervisor {
  readonly #actor: Actor<typeof registryMachine>
  readonly #lives = new Map<string, ServerLife>()
  readonly #stops = new Map<string, () => void>()
  readonly #over: Promise<void>

  constructor({ clock, inspect, warn }: SupervisorParts) {
    const machine = registryMachine.provide({
      actors: {
        supervisedChild: supervisedChildMachine.provide({
          actors: {
            incarnation: fromCallback<SupervisedChildEvent, IncarnationInput>(({ input, sendBack }) =>
              this.#lives.get(input.id)?.begin(input, sendBack),
            ),
            endIncarnation: fromPromise(async ({ input }) => this.#lives.get(input.id)?.end()),
          },
        }),
      },
    })
    this.#actor = createActor(machine, { clock, inspect: inspect && harmless(inspect, warn) })
    this.#over = new Promise((resolve) => {
      this.#actor.subscribe({
        next: ({ context }) => this.#follow(context.order),
        complete: resolve,
        error: (error) => {
          warn(`the supervisor failed inside mcp-troupe, please report it: ${error}`)
          void this.#abandon().then(resolve)
        },
      })
    })
    this.#actor.start()
  }

  /** Whether it still takes and runs children. */
  get isRunning(): boolean {
    const snapshot = this.#actor.getSnapshot()
    return snapshot.status === 'active' && snapshot.matches('running')
  }

  /** Puts a server under supervision. Returns what stops it for good, and resolves when nothing of it is left. */
  supervise(name: string, spec: ChildSpec, life: ServerLife): () => Promise<void> {
    const id = this.#freeId(name)
    this.#lives.set(id, life)
    this.#actor.send({ type: 'child.add', id, spec })
    const child = this.#actor.getSnapshot().children[id]
    if (child) life.attach(child)
    return () =>
      new Promise((resolve) => {
        if (!this.#lives.has(id)) return resolve()
        this.#stops.set(id, resolve)
        if (this.isRunning) this.#actor.send({ type: 'child.remove', id })
      })
  }

  /** Stops all, the last that came first. */
  drain(): Promise<void> {
    if (this.isRunning) this.#actor.send({ type: 'drain' })
    return this.#over
  }

  /** A name is free again while the last server that had it is still being stopped. */
  #freeId(name: string): string {
    for (let count = 1; ; count++) {
      const id = count === 1 ? name : `${name}#${count}`
      if (!this.#lives.has(id)) return id
    }
  }

  #follow(order: readonly string[]): void {
    for (const id of [...this.#lives.keys()]) {
      if (order.includes(id)) continue
      this.#lives.delete(id)
      this.#stops.get(id)?.()
      this.#stops.delete(id)
    }
  }

  /** No process may outlive the machine that should have ended it. */
  async #abandon(): Promise<void> {
    await Promise.all([...this.#lives.values()].map((life) => life.end()))
  }
}
