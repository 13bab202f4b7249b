import type { ChartState, ChartTransition, Trigger } from './chart.ts'

export type Label = { kind: LabelKind; event: string; guard?: string }

/** What a label is coloured by. */
export type LabelKind = Exclude<Trigger['kind'], 'actor'> | 'result' | 'error'

/** A state's transitions, each with what is written beside it. */
export function labelled(state: ChartState): { transition: ChartTransition; label: Label }[] {
  return state.transitions.map((transition) => {
    const guard = guardLabel(
      transition,
      state.transitions.filter(({ event }) => event === transition.event),
    )
    const { event, trigger } = transition
    return { transition, label: { kind: kindOf(trigger), event, ...(guard === undefined ? {} : { guard }) } }
  })
}

export function labelText({ event, guard }: Label): string {
  return guard === undefined ? event : `${event} [${guard}]`
}

/** What a state runs and does without leaving itself, a line each: `do / probe`, `entry / count`, `LOG / record`. */
export function activities(state: ChartState): { kind: 'actor' | 'action'; text: string }[] {
  const actors = state.invokes.map(({ src }) => ({ kind: 'actor' as const, text: `do / ${src}` }))
  const moments = (['entry', 'exit'] as const)
    .filter((moment) => state[moment].length > 0)
    .map((moment) => `${moment} / ${state[moment].join(', ')}`)
  const actions = new Set([...moments, ...staying(state)])
  return [...actors, ...[...actions].map((text) => ({ kind: 'action' as const, text }))]
}

function staying(state: ChartState): string[] {
  return labelled(state)
    .filter(
      ({ transition: { targets } }) =>
        targets.length === 0 || (targets.every((id) => id === state.id) && state.states.length > 0),
    )
    .map(({ transition, label }) => `${labelText(label)} ${effect(transition)}`)
}

function effect({ actions, reenter, targets }: ChartTransition): string {
  if (actions.length > 0) return `/ ${actions.join(', ')}`
  return reenter || targets.length > 0 ? 'starts over' : 'is ignored'
}

function guardLabel(transition: ChartTransition, rivals: ChartTransition[]): string | undefined {
  // Where every candidate leads to the same place the guards only choose actions: not worth a line each.
  const destinations = new Set(rivals.map(({ targets }) => JSON.stringify(targets)))
  const exhaustive = rivals.some(({ guard }) => guard === undefined)
  if (exhaustive && destinations.size === 1 && transition.targets.length > 0) return undefined
  return transition.guard ?? (rivals.indexOf(transition) > 0 ? 'else' : undefined)
}

function kindOf(trigger: Trigger): LabelKind {
  if (trigger.kind !== 'actor') return trigger.kind
  return trigger.outcome === 'error' ? 'error' : 'result'
}
