import type { AnyMachineSnapshot, AnyStateMachine, EventFromLogic, EventObject, SnapshotFrom } from 'xstate'
import { type AdjacencyMap, adjacencyMapToArray, createTestModel, TestModel } from 'xstate/graph'

/** A walk through a model from its initial state; the event of the first step is how it got there. */
export interface Path<Snapshot, Event> {
  readonly steps: readonly { readonly event: Event; readonly state: Snapshot }[]
  /** Where it ends. */
  readonly state: Snapshot
}

export interface Paths<Snapshot, Event> {
  /** Every simple path (none visits a state twice); and for each edge that only leads back, the shortest way to it and over it. */
  readonly paths: readonly Path<Snapshot, Event>[]
  /** Every edge of the model, as `edgesOf` names them. */
  readonly edges: ReadonlySet<string>
  /** The edges a path walks. */
  edgesOf(path: Path<Snapshot, Event>): readonly string[]
}

export type PathsOf<Machine extends AnyStateMachine> = Paths<SnapshotFrom<Machine>, EventFromLogic<Machine>>

export interface RealModelOptions<Snapshot, Event> {
  readonly input: unknown
  /** What may happen next; an event the machine would ignore is left out. */
  readonly events: (snapshot: Snapshot) => readonly Event[]
  /** What makes two snapshots the same state of the model. */
  readonly serialize: (snapshot: Snapshot) => string
}

const canTake = (snapshot: AnyMachineSnapshot, event: EventObject) =>
  snapshot.status === 'active' && snapshot.can(event)

/** The paths of a specification: a machine without actors and delays. */
export function specificationPaths<Machine extends AnyStateMachine>(machine: Machine): PathsOf<Machine> {
  const serialize = remembered(({ value, context }: AnyMachineSnapshot) => JSON.stringify({ value, context }))
  const specification: AnyStateMachine = machine
  const model = createTestModel(specification, { serializeState: serialize, filterEvents: canTake })
  return collect(model, serialize) as unknown as PathsOf<Machine>
}

/** Of a specification with too many simple paths: the shortest way to each state, and over each edge. */
export function shortestPaths<Machine extends AnyStateMachine>(machine: Machine): PathsOf<Machine> {
  const serialize = remembered(({ value, context }: AnyMachineSnapshot) => JSON.stringify({ value, context }))
  const specification: AnyStateMachine = machine
  const model = createTestModel(specification, { serializeState: serialize, filterEvents: canTake })
  return collect(model, serialize, model.getShortestPaths()) as unknown as PathsOf<Machine>
}

/** The paths of a real machine: what its actors and delays would do are events too, named by `events`. */
export function realPaths<Snapshot extends AnyMachineSnapshot, Event extends EventObject>(
  machine: AnyStateMachine,
  { events, serialize, input }: RealModelOptions<Snapshot, Event>,
): Paths<Snapshot, Event> {
  const remember = remembered(serialize as (snapshot: AnyMachineSnapshot) => string)
  const model = new TestModel<AnyMachineSnapshot, EventObject, unknown>(machine, {
    events: (snapshot) => events(snapshot as Snapshot),
    filterEvents: canTake,
    serializeState: remember,
    input,
  })
  return collect(model, remember) as unknown as Paths<Snapshot, Event>
}

type AnyPath = Path<AnyMachineSnapshot, EventObject>

function collect(
  model: TestModel<AnyMachineSnapshot, EventObject, unknown>,
  serialize: (snapshot: AnyMachineSnapshot) => string,
  simple: readonly AnyPath[] = model.getSimplePaths(),
): Paths<AnyMachineSnapshot, EventObject> {
  const edge = (from: AnyMachineSnapshot, event: EventObject) =>
    `${serialize(from)} —${JSON.stringify(event)}→`
  const edgesOf = ({ steps }: AnyPath) =>
    steps.slice(1).map(({ event }, index) => edge(steps[index]?.state as AnyMachineSnapshot, event))
  const map: AdjacencyMap<AnyMachineSnapshot, EventObject> = model.getAdjacencyMap()
  const edges = adjacencyMapToArray(map)
  const walked = new Set(simple.flatMap(edgesOf))
  const ways = shortestWays(simple, serialize)
  const back = edges
    .filter(({ state, event }) => !walked.has(edge(state, event)))
    .map(({ state, event, nextState }) => ({
      steps: [...(ways.get(serialize(state)) ?? []), { event, state: nextState }],
      state: nextState,
    }))
  return {
    edges: new Set(edges.map(({ state, event }) => edge(state, event))),
    paths: [...simple, ...back],
    edgesOf,
  }
}

/** The shortest way to each state, by its name. */
function shortestWays(
  paths: readonly AnyPath[],
  serialize: (snapshot: AnyMachineSnapshot) => string,
): ReadonlyMap<string, AnyPath['steps']> {
  const ways = new Map<string, AnyPath['steps']>()
  for (const { steps } of paths) {
    for (const [index, { state }] of steps.entries()) {
      const known = ways.get(serialize(state))
      if (!known || known.length > index + 1) ways.set(serialize(state), steps.slice(0, index + 1))
    }
  }
  return ways
}

/** The walk asks for the same few snapshots hundreds of thousands of times. */
function remembered(serialize: (snapshot: AnyMachineSnapshot) => string) {
  const known = new WeakMap<AnyMachineSnapshot, string>()
  return (snapshot: AnyMachineSnapshot): string => {
    const text = known.get(snapshot) ?? serialize(snapshot)
    known.set(snapshot, text)
    return text
  }
}
