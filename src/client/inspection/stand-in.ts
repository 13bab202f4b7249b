import type { ActorRefLike, AnyStateMachine, Snapshot, StateValue } from 'xstate'
import type { MachineName } from '../../../machines/index.ts'
import { machines } from '../../../machines/index.ts'

/** What an actor somewhere else is known to be in. */
export interface KnownState {
  readonly value: StateValue
  readonly context: unknown
  readonly status?: 'active' | 'done' | 'error' | 'stopped'
}

/**
 * An actor of a thread, as inspectors on the host see it: an actor reference whose snapshots are those of the real one. XState's
 * own session ids start over in each thread, so `sessionId` is a path: unique in this process.
 */
export class StandIn implements ActorRefLike {
  readonly sessionId: string
  /** The actor's id within its parent. */
  readonly id: string
  readonly logic: AnyStateMachine | undefined
  readonly _parent: StandIn | undefined
  /** What inspectors group by: the name of the connection it belongs to. */
  readonly server: string
  #snapshot: Snapshot<unknown> = blank

  constructor(details: StandInDetails) {
    const { id, server, parent, machine, sessionId } = details
    this.id = id
    this.server = server
    this._parent = parent
    this.sessionId = parent ? `${parent.sessionId}/${id}` : (sessionId ?? server)
    this.logic = machine && machines[machine]
  }

  /** The snapshot, resolved by the machine itself. */
  become({ value, context, status = 'active' }: KnownState): Snapshot<unknown> {
    const resolved = this.logic?.resolveState({ value, context, status })
    if (resolved) this.#snapshot = resolved
    return this.#snapshot
  }

  stop(): Snapshot<unknown> {
    this.#snapshot = { ...this.#snapshot, status: 'stopped', output: undefined, error: undefined }
    return this.#snapshot
  }

  getSnapshot(): Snapshot<unknown> {
    return this.#snapshot
  }

  /** A stand-in takes no events: what it stands for is reached through its client. */
  send(): void {}
}

export interface StandInDetails {
  readonly id: string
  readonly server: string
  readonly parent?: StandIn
  readonly sessionId?: string
  /** Without one it is no machine: the server at the other end of a wire. */
  readonly machine?: MachineName
}

const blank: Snapshot<unknown> = { status: 'active', output: undefined, error: undefined }
