import { type ChartState, isInside } from './chart.ts'
import { type Attributes, attributes, quote, transitionLabel } from './dot-text.ts'
import { type Edge, startsAround } from './edges.ts'
import { drawing } from './theme.ts'

/** An arrow that passes through its label, so that nobody has to guess which label is whose. */
export function drawEdge(edge: Edge): string[] {
  const { from, to, labels } = edge
  const id = `${from.id}--${to.id}`
  // Graphviz ranks by the direction an arrow is written in: one back to an earlier state is written the other way round.
  const leaves = edge.forward || from === to
  const around = startsAround(edge)
  const tail = around ? anyOf(from) : anchorOf(from, leaves ? 'last' : 'first')
  const tailClip = around ? '' : clusterOf(from)
  const within = isInside(from, to)
  const head = anchorOf(to, edge.forward || within ? 'first' : 'last')
  const headClip = within ? '' : clusterOf(to)
  return [
    `${quote(id)} [${attributes({ id, class: 'transition', ...drawing.transition, label: transitionLabel(labels) })}]`,
    leaves
      ? arrowOf(tail, id, { id: `${id}/out`, ltail: tailClip, dir: 'none' })
      : arrowOf(id, tail, { id: `${id}/out`, lhead: tailClip, dir: 'none' }),
    edge.forward
      ? arrowOf(id, head, { id: `${id}/in`, lhead: headClip })
      : arrowOf(head, id, { id: `${id}/in`, ltail: headClip, dir: 'back' }),
  ]
}

export function arrowOf(tail: string, head: string, style: Attributes): string {
  return `${quote(tail)} -> ${quote(head)} [${attributes(style)}]`
}

/** The node at which an arrow to or from a state really ends: Graphviz clips arrows at clusters, but ends none there. */
export function anchorOf(state: ChartState, end: 'first' | 'last'): string {
  if (end === 'first' && state.initial !== undefined) return `${state.id}:initial`
  const child = state.states.at(end === 'first' ? 0 : -1)
  return child === undefined ? state.id : anchorOf(child, end)
}

export function anyOf(state: ChartState): string {
  return `${state.id}:any`
}

/** The name of a state's cluster; empty, as Graphviz likes it, for one that has none. */
export function clusterOf(state: ChartState): string {
  return state.states.length === 0 ? '' : `cluster_${state.id}`
}
