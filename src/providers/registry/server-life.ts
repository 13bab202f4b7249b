import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type {
  ChildSpec,
  IncarnationDown,
  IncarnationInput,
  Opening,
  SupervisedChildContext,
  SupervisedChildEvent,
  supervisedChildMachine,
} from '../../../machines/index.ts'
import type { ChildState } from '../../bridge/provider.ts'
import type { McpClient } from '../../client/client.ts'
import type { Clock } from '../../clock.ts'
import { fromErrorData, toErrorData } from '../../error-data.ts'
import { ServerDownError } from '../../errors.ts'
import { hideInError } from '../../hide-in-error.ts'
import { Incarnation } from './incarnation.ts'
import { WaitingRoom } from './waiting-room.ts'

export type ChildActor = ActorRefFrom<typeof supervisedChildMachine>
type ChildSnapshot = SnapshotFrom<typeof supervisedChildMachine>

export interface ServerLifeParts {
  readonly name: string
  readonly spec: ChildSpec
  /** How long whoever needs the server waits for it. */
  readonly downWaitMs: number
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  readonly connect: (opening: Opening) => McpClient
  /** Hides the server's secrets: why it went down is shown to whoever watches. */
  readonly hide: (text: string) => string
}

export interface LifeListener {
  /** It serves, for the first time or again. */
  served(incarnation: Incarnation): void
  /** Its state is another one, or its generation. */
  moved(state: ChildState, context: SupervisedChildContext): void
}

/** One server across its incarnations: does what its machine decides, and lets in who needs it once it serves. */
export class ServerLife {
  readonly #parts: ServerLifeParts
  readonly #listener: LifeListener
  readonly #waiting: WaitingRoom<Incarnation>
  #actor: ChildActor | undefined
  #incarnation: Incarnation | undefined
  #client: McpClient | undefined
  /** Settles when nothing is left of the incarnations so far. */
  #gone: Promise<void> = Promise.resolve()
  #shown = ''
  #callsUnderWay = 0

  constructor(parts: ServerLifeParts, listener: LifeListener) {
    this.#parts = parts
    this.#listener = listener
    this.#waiting = new WaitingRoom(parts.clock)
  }

  get state(): ChildState {
    const snapshot = this.#actor?.getSnapshot()
    return snapshot ? stateOf(snapshot) : 'stopped'
  }

  get context(): SupervisedChildContext | undefined {
    return this.#actor?.getSnapshot().context
  }

  /** Where calls may go right now. */
  get serving(): Incarnation | undefined {
    return this.#incarnation?.isServing ? this.#incarnation : undefined
  }

  /** The last connection, in whatever state. */
  get client(): McpClient | undefined {
    return this.#client
  }

  /** Its machine, which lives in the supervisor. */
  attach(actor: ChildActor): void {
    this.#actor = actor
    actor.subscribe((snapshot) => this.#follow(snapshot))
    this.#follow(actor.getSnapshot())
  }

  /** What the machine calls `incarnation`. Nothing of the one before is left when the next begins. */
  begin({ generation, opening }: IncarnationInput, tell: (event: SupervisedChildEvent) => void): () => void {
    let isWanted = true
    void this.#gone.then(() => {
      if (isWanted) this.#open(generation, opening, tell)
    })
    return () => {
      isWanted = false
      this.#end()
    }
  }

  /** What the machine calls `endIncarnation`. */
  end(): Promise<void> {
    this.#end()
    return this.#gone
  }

  restart(): void {
    this.#tell({ type: 'restart' })
  }

  /** Starts it if need be, and waits for it, until then. @throws ServerDownError, CancelledError */
  async whenServing(signal?: AbortSignal, untilMs = this.latestMs()): Promise<Incarnation> {
    if (this.serving) return this.serving
    this.#tell({ type: 'demand' })
    const why = this.#whyNever()
    if (why) throw why
    const { downWaitMs, clock } = this.#parts
    const late = () => this.#down(`it did not come up within ${downWaitMs} ms (downWaitMs)`)
    return this.#waiting.wait(untilMs - clock.now(), late, signal)
  }

  /** Until when somebody who comes now waits. */
  latestMs(): number {
    return this.#parts.clock.now() + this.#parts.downWaitMs
  }

  /** Keeps it from being stopped for want of calls while `work` goes on. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#callsUnderWay++ === 0) this.#tell({ type: 'calls.some' })
    try {
      return await work()
    } finally {
      if (--this.#callsUnderWay === 0) this.#tell({ type: 'calls.none' })
    }
  }

  #tell(event: SupervisedChildEvent): void {
    if (this.#actor?.getSnapshot().status === 'active') this.#actor.send(event)
  }

  #open(generation: number, opening: Opening, tell: (event: SupervisedChildEvent) => void): void {
    const { clock, connect, random } = this.#parts
    const down = (phase: IncarnationDown['phase'], reason: IncarnationDown['failure']) => {
      const failure = reason && hideInError(reason, this.#parts.hide)
      tell({ type: 'incarnation.down', generation, phase, failure, atMs: clock.now(), chance: random() })
    }
    try {
      this.#client = connect(opening)
      this.#incarnation = new Incarnation(this.#client, {
        up: () => tell({ type: 'incarnation.up', generation, atMs: clock.now() }),
        down,
      })
    } catch (error) {
      down('opening', toErrorData(error))
    }
  }

  #end(): void {
    const ended = this.#incarnation
    this.#incarnation = undefined
    if (ended) this.#gone = this.#gone.then(() => ended.end())
  }

  #follow(snapshot: ChildSnapshot): void {
    const state = stateOf(snapshot)
    const shown = `${state} ${snapshot.context.generation}`
    if (shown === this.#shown) return
    this.#shown = shown
    if (state === 'up') this.#serve()
    const why = this.#whyNever()
    if (why) this.#waiting.refuseAll(why)
    this.#listener.moved(state, snapshot.context)
  }

  #serve(): void {
    const { serving } = this
    if (!serving) return
    this.#listener.served(serving)
    this.#waiting.admitAll(serving)
    if (this.#callsUnderWay === 0) this.#tell({ type: 'calls.none' })
  }

  /** Undefined while there is hope. */
  #whyNever(): ServerDownError | undefined {
    const snapshot = this.#actor?.getSnapshot()
    if (!snapshot) return this.#down('it was removed')
    const { maxRestarts, withinMs, restart } = snapshot.context.spec
    const name = this.#parts.name
    if (snapshot.matches('exhausted'))
      return this.#down(
        `it was given up after ${maxRestarts} restarts within ${withinMs} ms; restart('${name}') starts it again`,
      )
    if (snapshot.matches({ stopping: 'forGood' })) return this.#down('it is being stopped')
    if (snapshot.matches({ stopped: 'ended' }))
      return this.#down(`it ended, and is ${restart}; restart('${name}') starts it again`)
    return undefined
  }

  #down(reason: string): ServerDownError {
    const failure = this.context?.failure
    const last = failure ? `${reason}. Last it failed so: ${failure.message}` : reason
    return new ServerDownError(
      { server: this.#parts.name, reason: last },
      failure && { cause: fromErrorData(failure) },
    )
  }
}

/** The machine leaves the one state that is not named here, `wentDown`, in the step that enters it. */
function stateOf(snapshot: ChildSnapshot): ChildState {
  return states.find((state) => snapshot.matches(state)) ?? 'backingOff'
}

const states = ['stopped', 'starting', 'up', 'backingOff', 'exhausted', 'stopping'] as const
