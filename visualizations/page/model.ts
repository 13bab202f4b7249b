import type { ActorPicture, InspectorFrame, LogEntry, PhaseChange } from '../../src/inspector/frames.ts'

/** What the page knows: the same frames lead to the same model. Nothing here knows a browser. */
export interface Model {
  readonly machines: ReadonlySet<string>
  readonly actors: ReadonlyMap<string, ActorPicture>
  readonly phases: ReadonlyMap<string, readonly PhaseChange[]>
  /** Oldest first. */
  readonly log: readonly LogEntry[]
  /** Frames this page was too slow for. */
  readonly missed: number
}

export const emptyModel: Model = {
  machines: new Set(),
  actors: new Map(),
  phases: new Map(),
  log: [],
  missed: 0,
}

export function withFrame(model: Model, frame: InspectorFrame): Model {
  switch (frame.kind) {
    case 'picture':
      return {
        machines: new Set(frame.machines),
        actors: new Map(frame.actors.map((actor) => [actor.key, actor])),
        phases: frame.phases.reduce(withPhase, new Map<string, readonly PhaseChange[]>()),
        log: frame.log,
        missed: model.missed,
      }
    case 'actor':
      return { ...model, actors: new Map(model.actors).set(frame.actor.key, frame.actor) }
    case 'gone': {
      const actors = new Map(model.actors)
      actors.delete(frame.key)
      return { ...model, actors }
    }
    case 'phase':
      return { ...model, phases: withPhase(model.phases, frame.phase) }
    case 'entry':
      return { ...model, log: [...model.log.slice(-(mostEntries - 1)), frame.entry] }
    case 'dropped':
      return { ...model, missed: model.missed + frame.frames }
  }
}

/** A server as the list shows it. */
export interface ServerRow {
  readonly name: string
  readonly phase: PhaseChange['phase'] | undefined
  /** How often it was started again. */
  readonly restarts: number
}

export function serversOf({ actors, phases }: Model): ServerRow[] {
  const names = new Set([...actors.values()].map(({ server }) => server))
  const rows = [...names].sort(byName).map((name): ServerRow => {
    const past = phases.get(name) ?? []
    return { name, phase: past.at(-1)?.phase, restarts: restartsIn(past) }
  })
  // Actors that belong to no server, such as the registry itself, come last.
  return [...rows.filter(({ phase }) => phase), ...rows.filter(({ phase }) => !phase)]
}

/** The actors of a server, supervisors first; those that are over come last. */
export function actorsOf({ actors }: Model, server: string): ActorPicture[] {
  return [...actors.values()]
    .filter((actor) => actor.server === server)
    .sort((one, other) => rank(one) - rank(other) || one.key.localeCompare(other.key, undefined, numeric))
}

function restartsIn(phases: readonly PhaseChange[]): number {
  const generations = new Set(
    phases.filter(({ phase }) => phase === 'starting').map((start) => start.generation),
  )
  return Math.max(0, generations.size - 1)
}

function withPhase(
  phases: ReadonlyMap<string, readonly PhaseChange[]>,
  phase: PhaseChange,
): Map<string, readonly PhaseChange[]> {
  const before = phases.get(phase.server) ?? []
  return new Map(phases).set(phase.server, [...before.slice(-(mostPhases - 1)), phase])
}

function rank({ machine, status }: ActorPicture): number {
  if (machine === 'supervisedChild') return 0
  if (machine === 'connection') return 1
  return status === 'active' ? 2 : 3
}

function byName(one: string, other: string): number {
  return one.localeCompare(other, undefined, numeric)
}

const numeric = { numeric: true }
const mostEntries = 2_000
const mostPhases = 200
