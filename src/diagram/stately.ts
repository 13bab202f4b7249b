import {
  type Chart,
  type ChartInvoke,
  type ChartState,
  type ChartTransition,
  statesOf,
  type Trigger,
} from './chart.ts'

/** A machine config as JSON: what Stately's editor imports and what `createMachine` takes. */
export type StatelyConfig = { [key: string]: StatelyValue }
type StatelyValue = string | boolean | StatelyConfig | StatelyValue[]

/** The chart as a machine config in which guards, actions, actors and delays stand by name. */
export function toStately(chart: Chart): StatelyConfig {
  const targets = new Map(
    statesOf(chart.root).map((state) => [state.id, `#${state.path.map(escapeKey).join('.')}`]),
  )
  return { id: chart.id, ...configOf(chart.root, targets) }
}

/** What leads to a state, by the state's id. */
type Targets = Map<string, string>

function configOf(state: ChartState, targets: Targets): StatelyConfig {
  const select = (keyOf: KeyOf) => groups(state.transitions, keyOf, targets)
  const initial = state.states.find(({ id }) => id === state.initial)
  return {
    ...(state.id === state.path.join('.') ? {} : { id: state.id }),
    ...(isImplied(state) ? {} : { type: state.type }),
    ...(state.history === undefined ? {} : { history: state.history }),
    ...(state.description === undefined ? {} : { description: state.description }),
    ...(initial === undefined ? {} : { initial: initial.key }),
    ...filled('tags', state.tags),
    ...filled('entry', state.entry),
    ...filled('exit', state.exit),
    ...filled(
      'invoke',
      state.invokes.map((invoke, index) => invokeOf(invoke, `${index}.${state.id}`, select)),
    ),
    ...select(({ kind }) => (kind === 'always' ? 'always' : undefined)),
    ...filled(
      'on',
      select((trigger) => (trigger.kind === 'event' ? trigger.type : undefined)),
    ),
    ...filled(
      'after',
      select((trigger) => (trigger.kind === 'after' ? String(trigger.delay) : undefined)),
    ),
    ...select(({ kind }) => (kind === 'done' ? 'onDone' : undefined)),
    ...historyTarget(state, targets),
    ...filled(
      'states',
      Object.fromEntries(state.states.map((child) => [child.key, configOf(child, targets)])),
    ),
  }
}

type KeyOf = (trigger: Trigger) => string | undefined

/** The transitions that have a key, by that key. */
function groups(
  transitions: ChartTransition[],
  keyOf: KeyOf,
  targets: Targets,
): { [key: string]: StatelyConfig[] } {
  const found: { [key: string]: StatelyConfig[] } = {}
  for (const transition of transitions) {
    const key = keyOf(transition.trigger)
    if (key !== undefined) found[key] = [...(found[key] ?? []), transitionOf(transition, targets)]
  }
  return found
}

function transitionOf(
  { targets, guard, actions, reenter }: ChartTransition,
  written: Targets,
): StatelyConfig {
  const [target, ...others] = targets.map((id) => written.get(id) ?? id)
  return {
    ...(guard === undefined ? {} : { guard }),
    ...(target === undefined ? {} : { target: others.length === 0 ? target : [target, ...others] }),
    ...filled('actions', actions),
    ...(reenter ? { reenter } : {}),
  }
}

function invokeOf(
  { id, src }: ChartInvoke,
  defaultId: string,
  select: (keyOf: KeyOf) => StatelyConfig,
): StatelyConfig {
  const outcomes = { done: 'onDone', error: 'onError', snapshot: 'onSnapshot' }
  return {
    src,
    ...(id === defaultId ? {} : { id }),
    ...select((trigger) =>
      trigger.kind === 'actor' && trigger.id === id ? outcomes[trigger.outcome] : undefined,
    ),
  }
}

/** A history state has no event: it names where to go when there is nothing to go back to. */
function historyTarget(state: ChartState, targets: Targets): StatelyConfig {
  const transition = state.transitions.find(({ trigger }) => trigger.kind === 'default')
  return transition === undefined ? {} : transitionOf(transition, targets)
}

function isImplied({ type, history }: ChartState): boolean {
  return type === 'atomic' || type === 'compound' || (type === 'history' && history !== undefined)
}

function filled(key: string, value: StatelyConfig | StatelyValue[]): StatelyConfig {
  return Object.keys(value).length === 0 ? {} : { [key]: value }
}

// A dot in a target parts two keys.
function escapeKey(key: string): string {
  return key.replaceAll(/[.\\]/g, '\\$&')
}
