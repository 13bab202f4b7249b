import type { Chart, ChartState } from './chart.ts'
import { anchorOf, anyOf, arrowOf, clusterOf, drawEdge } from './dot-arrows.ts'
import { type Attributes, attributes, indent, quote, stateLabel } from './dot-text.ts'
import { type Edge, edgesOf, startsAround } from './edges.ts'
import { drawing } from './theme.ts'

export type DotOptions = {
  /** Which way the chart reads: top to bottom (`TB`, the default) or left to right (`LR`). */
  direction?: 'TB' | 'LR'
}

/** The chart in Graphviz' language. Every state becomes an element whose id is the state node's own. */
export function toDot(chart: Chart, { direction = 'TB' }: DotOptions = {}): string {
  // With `newrank` a cluster's insides are ranked together with what is around it: fewer arrows cross its border.
  const layout = { id: `${chart.id}:chart`, rankdir: direction, compound: 'true', newrank: 'true' }
  return [
    'digraph statechart {',
    ...indent([
      `graph [${attributes({ ...layout, ...drawing.graph })}]`,
      `node [${attributes(drawing.node)}]`,
      `edge [${attributes(drawing.edge)}]`,
      ...drawState(chart.root, drawing.outermost, edgesOf(chart)),
    ]),
    '}',
    '',
  ].join('\n')
}

function drawState(state: ChartState, style: Attributes, edges: Edge[]): string[] {
  if (state.states.length === 0) return [drawLeaf(state)]
  const childStyle = state.type === 'parallel' ? drawing.region : {}
  return [
    `subgraph ${quote(clusterOf(state))} {`,
    ...indent([
      `graph [${attributes({ id: state.id, class: 'state', ...drawing.cluster, ...style, label: stateLabel(state) })}]`,
      ...drawInitial(state),
      ...drawAnyState(state, edges),
      ...state.states.flatMap((child) => drawState(child, childStyle, edges)),
      // An arrow is written where both its ends are: elsewhere it would drag its label into a foreign cluster.
      ...edges.filter(({ home }) => home === state).flatMap(drawEdge),
    ]),
    '}',
  ]
}

function drawLeaf(state: ChartState): string {
  const style = state.type === 'history' ? drawing.history : state.type === 'final' ? drawing.final : {}
  const label = state.type === 'history' ? (state.history === 'deep' ? 'H*' : 'H') : stateLabel(state)
  return `${quote(state.id)} [${attributes({ id: state.id, class: 'state', ...style, label })}]`
}

function drawInitial(state: ChartState): string[] {
  const target = state.states.find(({ id }) => id === state.initial)
  if (target === undefined) return []
  const id = anchorOf(state, 'first')
  return [
    `${quote(id)} [${attributes({ id, ...drawing.initial })}]`,
    arrowOf(id, anchorOf(target, 'first'), { id: `${id}/in`, lhead: clusterOf(target) }),
  ]
}

/** Graphviz draws no arrow from a cluster to what is inside it: those start at a node that stands for the cluster. */
function drawAnyState(state: ChartState, edges: Edge[]): string[] {
  const targets = edges.filter((edge) => edge.from === state && startsAround(edge)).map(({ to }) => to)
  if (targets.length === 0) return []
  const id = anyOf(state)
  return [
    `${quote(id)} [${attributes({ id, ...drawing.anyState })}]`,
    ...targets.flatMap((target) => holdBack(state, target)),
  ]
}

/** Invisible arrows that rank a target of "any state" after the compound states that come before it in the machine. */
function holdBack(state: ChartState, target: ChartState): string[] {
  const index = state.states.indexOf(target)
  return state.states
    .slice(0, Math.max(0, index))
    .filter(({ states }) => states.length > 0)
    .map((earlier) => arrowOf(anchorOf(earlier, 'last'), anchorOf(target, 'first'), { style: 'invis' }))
}
