import { type Chart, type ChartState, isInside, statesOf } from './chart.ts'
import { type Label, labelled, labelText } from './labels.ts'

/** One arrow of a picture: all transitions between the same two states, their labels stacked. */
export type Edge = {
  from: ChartState
  to: ChartState
  labels: Label[]
  /** The innermost state that holds both ends. */
  home: ChartState
  /** Whether it leads on in document order; a machine is written in the order it is lived. */
  forward: boolean
}

/** The arrows of a chart, in document order. A compound state's transition to itself is none: see `staying`. */
export function edgesOf(chart: Chart): Edge[] {
  const states = statesOf(chart.root)
  const edges = new Map<string, Edge>()
  for (const [index, from] of states.entries()) {
    for (const { transition, label } of labelled(from)) {
      for (const to of states.filter(({ id }) => transition.targets.includes(id))) {
        if (to === from && from.states.length > 0) continue
        const key = JSON.stringify([from.id, to.id])
        const known = edges.get(key)?.labels ?? []
        const labels = known.some((other) => labelText(other) === labelText(label))
          ? known
          : [...known, label]
        const home = homeOf(chart.root, from, to)
        edges.set(key, { from, to, labels, home, forward: index < states.indexOf(to) })
      }
    }
  }
  return [...edges.values()]
}

/** Whether an arrow starts at a state that holds its target: it is taken from any state in there. */
export function startsAround({ from, to }: Edge): boolean {
  return isInside(to, from)
}

function homeOf(state: ChartState, from: ChartState, to: ChartState): ChartState {
  const child = state.states.find(
    (child) => child.states.length > 0 && [from, to].every((end) => end === child || isInside(end, child)),
  )
  return child === undefined ? state : homeOf(child, from, to)
}
