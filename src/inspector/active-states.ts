import type { AnyStateNode, StateValue } from 'xstate'

/** The ids of the state nodes that are active, outermost first: the root, and what a state value names below it. */
export function activeStates(root: AnyStateNode, value: StateValue | undefined): string[] {
  if (value === undefined) return [root.id]
  if (typeof value === 'string') return [root.id, ...below(root, value, undefined)]
  return [root.id, ...Object.entries(value).flatMap(([key, inner]) => below(root, key, inner))]
}

function below(node: AnyStateNode, key: string, value: StateValue | undefined): string[] {
  const child = node.states[key]
  return child ? activeStates(child, value) : []
}
