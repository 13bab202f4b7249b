import type { ActorRefLike } from 'xstate'
import { StandIn } from '../client/inspection/stand-in.ts'

/** Where an actor stands on the page: the same for each incarnation of it. */
export interface Place {
  readonly key: string
  readonly server: string
  readonly name: string
}

/** Gives every actor its place. XState's own ids start over in each thread and change with each incarnation: here paths count. */
export class Places {
  readonly #places = new WeakMap<ActorRefLike, Place>()
  readonly #roots = new Map<string, number>()

  of(actor: ActorRefLike): Place {
    const known = this.#places.get(actor)
    if (known) return known
    const place = actor instanceof StandIn ? standInPlace(actor) : this.#hostPlace(actor)
    this.#places.set(actor, place)
    return place
  }

  /** A supervised child is a server of its own; everything else belongs to the root of its system. */
  #hostPlace(actor: ActorRefLike): Place {
    const { id, machine, parent } = read(actor)
    if (!parent) {
      const name = this.#rootName(machine ?? id)
      return { key: name, server: name, name }
    }
    if (machine === 'supervisedChild') {
      const server = id.replace(successor, '')
      return { key: `${server}/${machine}`, server, name: machine }
    }
    const { key, server } = this.of(parent)
    return { key: `${key}/${id}`, server, name: id }
  }

  /** `registry`, then `registry 2`. */
  #rootName(machine: string): string {
    const count = (this.#roots.get(machine) ?? 0) + 1
    this.#roots.set(machine, count)
    return count === 1 ? machine : `${machine} ${count}`
  }
}

/** What a registry adds to the id of a server that replaces one which is still being stopped. */
const successor = /#\d+$/

function standInPlace({ id, server, _parent: parent }: StandIn): Place {
  const path = parent ? `${standInPlace(parent).key}/${id}` : `${server}/${id}`
  return { key: path, server, name: id }
}

function read(actor: ActorRefLike) {
  const logic: unknown = Reflect.get(actor, 'logic')
  const machine: unknown = typeof logic === 'object' && logic !== null ? Reflect.get(logic, 'id') : undefined
  const parent: ActorRefLike | undefined = Reflect.get(actor, '_parent')
  return {
    id: String(Reflect.get(actor, 'id') ?? actor.sessionId),
    machine: typeof machine === 'string' ? machine : undefined,
    parent,
  }
}
