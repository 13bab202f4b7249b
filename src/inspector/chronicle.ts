import type { ActorRefLike, AnyStateMachine, InspectionEvent } from 'xstate'
import type { InspectionObserver, Watching, WireEvent } from '../client/inspection/inspect.ts'
import { redact } from '../redact.ts'
import { generationIn, machineOf, pictureOf } from './actor-picture.ts'
import type { ActorPicture, InspectorFrame, LogEntry, PhaseChange } from './frames.ts'
import { phaseOf } from './phase.ts'
import { type Place, Places } from './places.ts'

/** An entry without what every entry is given. */
type EntryOf<Kind extends LogEntry['kind']> = Omit<Extract<LogEntry, { kind: Kind }>, keyof Stamp>
type Stamp = Pick<LogEntry, 'number' | 'atMs' | 'server' | 'actor'>

/**
 * What is known of all actors, from what inspection told: how each is now, and a bounded past. Everything new is handed on as a
 * frame.
 */
export class Chronicle implements InspectionObserver {
  readonly watching: Watching
  readonly #machines: readonly string[]
  readonly #publish: (frame: InspectorFrame) => void
  readonly #places = new Places()
  readonly #actors = new Map<string, ActorPicture>()
  /** Who holds a place now; what its predecessor still says is not shown. */
  readonly #holders = new Map<string, ActorRefLike>()
  readonly #phases = new Map<string, PhaseChange[]>()
  readonly #log: LogEntry[] = []
  #entries = 0

  constructor(watching: Watching, machines: readonly string[], publish: (frame: InspectorFrame) => void) {
    this.watching = watching
    this.#machines = machines
    this.#publish = publish
  }

  /** Everything at once, for a viewer that is new or has missed something. */
  picture(): Extract<InspectorFrame, { kind: 'picture' }> {
    return {
      kind: 'picture',
      nowMs: Date.now(),
      machines: this.#machines,
      actors: [...this.#actors.values()],
      phases: [...this.#phases.values()].flat(),
      log: this.#log,
    }
  }

  next(event: InspectionEvent): void {
    if (event.type === '@xstate.event' && isWire(event.event)) return this.#message(event)
    const machine = machineOf(event.actorRef)
    if (!machine) return
    switch (event.type) {
      case '@xstate.actor':
        return this.#begin(event.actorRef, machine)
      case '@xstate.event': {
        const { actorRef, sourceRef } = event
        const { type, from, ...rest } = event.event
        const source = sourceRef ? this.#nameOf(sourceRef) : isText(from) ? from : undefined
        return this.#note(this.#places.of(actorRef), {
          kind: 'event',
          type,
          from: source,
          text: JSON.stringify(redact(rest)),
        })
      }
      case '@xstate.snapshot':
        return this.#become(event.actorRef, machine, event.snapshot)
    }
  }

  #begin(actorRef: ActorRefLike, machine: AnyStateMachine): void {
    const place = this.#places.of(actorRef)
    this.#forget((key) => key.startsWith(`${place.key}/`))
    this.#holders.set(place.key, actorRef)
    const generation = (this.#actors.get(place.key)?.generation ?? 0) + 1
    // An actor is announced before it has a state.
    this.#set({ ...pictureOf(place, machine, undefined), generation })
  }

  #become(actorRef: ActorRefLike, machine: AnyStateMachine, snapshot: unknown): void {
    const place = this.#places.of(actorRef)
    if (!this.#holders.has(place.key)) this.#begin(actorRef, machine)
    if (this.#holders.get(place.key) !== actorRef) return
    const before = this.#actors.get(place.key)
    const picture = pictureOf(place, machine, snapshot)
    // A supervised child counts its own incarnations.
    const next = { ...picture, generation: generationIn(picture.facts) ?? before?.generation ?? 1 }
    const hasMoved = before?.states.join() !== next.states.join() || before.status !== next.status
    this.#set(before && !hasMoved ? { ...next, sinceMs: before.sinceMs } : next)
    if (hasMoved) this.#note(place, { kind: 'state', states: next.states })
    if (next.status !== 'active') this.#forgetOldest(next.server)
  }

  #set(actor: ActorPicture): void {
    this.#actors.set(actor.key, actor)
    this.#publish({ kind: 'actor', actor })
    this.#changePhase(actor)
    if (this.#actors.size > mostActors) this.#forgetOneThatIsOver()
  }

  /** A machine by where it stands, what a machine invokes by what it is. */
  #nameOf(sourceRef: ActorRefLike): string | undefined {
    if (machineOf(sourceRef)) return this.#places.of(sourceRef).key
    return ['src', 'id'].map((key): unknown => Reflect.get(sourceRef, key)).find(isText)
  }

  /** Its supervisor knows better than the connection how a server is. */
  #changePhase(actor: ActorPicture): void {
    const { server, machine, generation } = actor
    const phase = phaseOf(actor)
    if (!phase || (machine !== 'supervisedChild' && this.#actors.has(`${server}/supervisedChild`))) return
    const phases = this.#phases.get(server) ?? []
    if (phases.at(-1)?.phase === phase) return
    const change = { server, phase, generation, atMs: Date.now() }
    phases.push(change)
    if (phases.length > mostPhases) phases.shift()
    this.#phases.set(server, phases)
    this.#publish({ kind: 'phase', phase: change })
  }

  #message({ actorRef, sourceRef, event }: Extract<InspectionEvent, { type: '@xstate.event' }>): void {
    if (!isWire(event)) return
    const { wire: direction, type, id, size, text } = event
    const connection = direction === 'sent' ? sourceRef : actorRef
    if (connection)
      this.#note(this.#places.of(connection), { kind: 'message', direction, type, id, size, text })
  }

  #note({ server, key }: Place, entry: EntryOf<'event'> | EntryOf<'state'> | EntryOf<'message'>): void {
    const noted: LogEntry = { number: ++this.#entries, atMs: Date.now(), server, actor: key, ...entry }
    this.#log.push(noted)
    if (this.#log.length > mostEntries) this.#log.shift()
    this.#publish({ kind: 'entry', entry: noted })
  }

  /** Round trips come and go by the thousand: of those that are over, the last few are kept. */
  #forgetOldest(server: string): void {
    const over = [...this.#actors.values()].filter(
      (actor) => actor.server === server && actor.status !== 'active' && actor.key.split('/').length > 2,
    )
    const oldest = new Set(over.slice(0, -mostEnded).map(({ key }) => key))
    this.#forget((key) => oldest.has(key))
  }

  /** Servers come and go too, where somebody keeps renaming them. */
  #forgetOneThatIsOver(): void {
    const over = [...this.#actors.values()].find(({ status }) => status !== 'active')
    if (!over) return
    this.#forget((key) => key === over.key)
    const { server } = over
    if (![...this.#actors.values()].some((actor) => actor.server === server)) this.#phases.delete(server)
  }

  #forget(isOver: (key: string) => boolean): void {
    for (const key of [...this.#actors.keys()].filter(isOver)) {
      this.#actors.delete(key)
      this.#holders.delete(key)
      this.#publish({ kind: 'gone', key })
    }
  }
}

function isWire(event: { readonly type: string }): event is WireEvent {
  return 'wire' in event && 'text' in event
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

const mostEntries = 500
const mostPhases = 100
const mostEnded = 5
const mostActors = 1_000
