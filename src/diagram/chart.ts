/**
 * A statechart as plain data: everything the pictures are drawn from, and nothing that needs the machine itself. It survives JSON,
 * so a page can be sent one.
 */
export type Chart = {
  id: string
  root: ChartState
}

export type ChartState = {
  /** The state node's own id, unique in the chart. */
  id: string
  key: string
  /** The keys that lead to it, the machine's own id first. */
  path: string[]
  type: 'atomic' | 'compound' | 'parallel' | 'final' | 'history'
  description?: string
  tags: string[]
  /** The id of the child that is entered first. */
  initial?: string
  history?: 'shallow' | 'deep'
  invokes: ChartInvoke[]
  entry: string[]
  exit: string[]
  transitions: ChartTransition[]
  states: ChartState[]
}

export type ChartInvoke = { id: string; src: string }

export type ChartTransition = {
  trigger: Trigger
  /** The trigger as a reader sees it: `CLOSE`, `done(probe)`, `after probeTimeout`, `always`. */
  event: string
  guard?: string
  actions: string[]
  /** The ids of the states it leads to; empty when it stays where it is. */
  targets: string[]
  /** Whether its own state is left and entered again. */
  reenter: boolean
}

/** What makes a transition happen. */
export type Trigger =
  | { kind: 'event'; type: string }
  | { kind: 'actor'; outcome: 'done' | 'error' | 'snapshot'; id: string; src: string }
  | { kind: 'after'; delay: string | number }
  | { kind: 'done' }
  | { kind: 'always' }
  /** Where a history state leads when there is nothing to go back to. */
  | { kind: 'default' }

/** Every state of the chart, parents first. */
export function statesOf(state: ChartState): ChartState[] {
  return [state, ...state.states.flatMap(statesOf)]
}

/** Whether `inner` is below `outer` in the tree of states. */
export function isInside(inner: ChartState, outer: ChartState): boolean {
  return outer.states.some((child) => child.id === inner.id || isInside(inner, child))
}
