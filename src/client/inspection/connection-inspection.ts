import type { AnyEventObject, InspectionEvent } from 'xstate'
import type { ConnectionSnapshot, SeenEvent, SeenMessage, Sight, Trace } from '../../../workers/frames.ts'
import { redact } from '../../redact.ts'
import { redactor } from '../../redactor.ts'
import { type Inspect, tell, type WireEvent } from './inspect.ts'
import { StandIn } from './stand-in.ts'

export interface InspectionDetails {
  readonly inspect: Inspect
  /** What inspectors call it. */
  readonly name: string
  readonly initial: ConnectionSnapshot
  /** Values that are masked wherever they stand. */
  readonly secrets: readonly string[]
}

/** Tells an inspector of one connection, by stand-ins for its machines and for the server at the end of its wire. */
export class ConnectionInspection {
  readonly #hide: (text: string) => string
  readonly #tell: (event: InspectionEvent) => void
  readonly #connection: StandIn
  readonly #server: StandIn
  /** The machines below the connection's own, by path. */
  readonly #children = new Map<string, StandIn>()
  readonly #lastEvents = new Map<StandIn, SeenEvent>()

  constructor({ inspect, name, initial, secrets }: InspectionDetails) {
    this.#hide = redactor(secrets)
    this.#tell = (event) => tell(inspect, event)
    const sessionId = `${name}#${++connections}`
    this.#connection = new StandIn({ id: 'connection', server: name, sessionId, machine: 'connection' })
    this.#server = new StandIn({ id: 'server', server: name, parent: this.#connection })
    this.#connection.become({ value: initial.value, context: this.#redacted(initial.context) })
    this.#introduce(this.#connection)
    this.#introduce(this.#server)
  }

  /** The connection's machine is in another state. */
  snapshot({ value, context }: ConnectionSnapshot): void {
    // A failure in it may quote what a server said.
    this.#moved(this.#connection, { value, context: this.#redacted(context) })
  }

  /** Nobody looks any more: what becomes of the machines below will not be known. */
  unwatched(): void {
    const event = { type: 'mcp-troupe.unwatched' }
    for (const actorRef of this.#children.values()) {
      const snapshot = actorRef.stop()
      this.#tell({ type: '@xstate.snapshot', rootId: this.#connection.sessionId, actorRef, event, snapshot })
    }
    this.#children.clear()
  }

  sight(sight: Sight): void {
    switch (sight.kind) {
      case 'message':
        return this.#message(sight.direction, sight.message)
      case 'actor': {
        const { actor: id, machine } = sight
        // Introduced again to whoever begins to look.
        if (this.#children.has(id)) return
        const child = new StandIn({ id, server: this.#connection.server, parent: this.#connection, machine })
        this.#children.set(id, child)
        return this.#introduce(child)
      }
      case 'event': {
        const actor = this.#actor(sight.actor)
        if (!actor) return
        this.#lastEvents.set(actor, sight.event)
        const source = sight.source === undefined ? undefined : this.#actor(sight.source)
        return this.#event(actor, { ...sight.event, ...(!source && { from: sight.source }) }, source)
      }
      case 'state': {
        const actor = this.#actor(sight.actor)
        if (actor) this.#moved(actor, sight)
        if (sight.status !== 'active') this.#children.delete(sight.actor)
      }
    }
  }

  #redacted(context: unknown): unknown {
    return redact(context, { hide: this.#hide })
  }

  #actor(path: string): StandIn | undefined {
    return path === '' ? this.#connection : this.#children.get(path)
  }

  #introduce(actorRef: StandIn): void {
    this.#tell({ type: '@xstate.actor', rootId: this.#connection.sessionId, actorRef })
  }

  #moved(actorRef: StandIn, state: Parameters<StandIn['become']>[0]): void {
    const event = this.#lastEvents.get(actorRef) ?? unknownEvent
    this.#lastEvents.delete(actorRef)
    const snapshot = actorRef.become(state)
    this.#tell({ type: '@xstate.snapshot', rootId: this.#connection.sessionId, actorRef, event, snapshot })
  }

  #event(actorRef: StandIn, event: AnyEventObject, sourceRef: StandIn | undefined): void {
    this.#tell({ type: '@xstate.event', rootId: this.#connection.sessionId, actorRef, event, sourceRef })
  }

  #message(direction: Trace['direction'], message: SeenMessage): void {
    const event: WireEvent = { ...message, wire: direction }
    if (direction === 'sent') this.#event(this.#server, event, this.#connection)
    else this.#event(this.#connection, event, this.#server)
  }
}

let connections = 0

/** States cross always, what led to them only while somebody watches. */
const unknownEvent: SeenEvent = { type: 'mcp-troupe.mirrored' }
