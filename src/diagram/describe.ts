import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'
import type { Chart, ChartInvoke, ChartState, ChartTransition, Trigger } from './chart.ts'
import { actionName, guardName, sourceName } from './names.ts'

/** Reads a machine's statechart off its public state nodes. */
export function describe(machine: AnyStateMachine): Chart {
  return { id: machine.id, root: describeState(machine.root) }
}

function describeState(node: AnyStateNode): ChartState {
  const invokes = node.invoke.map((invoke) => ({ id: invoke.id, src: sourceName(invoke.src, invoke.id) }))
  return {
    id: node.id,
    key: node.key,
    path: [node.machine.id, ...node.path],
    type: node.type,
    ...(node.description === undefined ? {} : { description: node.description }),
    tags: [...node.tags],
    ...(node.type === 'compound' ? { initial: initialOf(node) } : {}),
    ...(node.history === false ? {} : { history: node.history }),
    invokes,
    // Not `node.entry` and `node.exit`: xstate adds the timers of `after` to those.
    entry: namesOf(node.config.entry),
    exit: namesOf(node.config.exit),
    transitions: describeTransitions(node, invokes),
    states: Object.values(node.states).map(describeState),
  }
}

function describeTransitions(node: AnyStateNode, invokes: ChartInvoke[]): ChartTransition[] {
  const triggers = triggersOf(node, invokes)
  const always = (node.always ?? []).map((transition) => describeTransition(transition, { kind: 'always' }))
  const others = [...node.transitions].flatMap(([type, transitions]) =>
    transitions.map((transition) =>
      describeTransition(transition, triggers.get(type) ?? { kind: 'event', type }),
    ),
  )
  return [...always, ...others, ...describeHistoryDefault(node)]
}

function describeHistoryDefault(node: AnyStateNode): ChartTransition[] {
  const target: unknown = node.config.target
  if (node.type !== 'history' || typeof target !== 'string') return []
  const resolved = target.startsWith('#')
    ? node.machine.getStateNodeById(target)
    : node.parent?.states[target]
  const trigger: Trigger = { kind: 'default' }
  const targets = resolved === undefined ? [] : [resolved.id]
  return [{ trigger, event: triggerLabel(trigger), actions: [], targets, reenter: false }]
}

function describeTransition(transition: AnyTransitionDefinition, trigger: Trigger): ChartTransition {
  return {
    trigger,
    event: triggerLabel(trigger),
    ...(transition.guard === undefined ? {} : { guard: guardName(transition.guard) }),
    actions: transition.actions.map(actionName),
    targets: (transition.target ?? []).map((target) => target.id),
    reenter: transition.reenter,
  }
}

function triggerLabel(trigger: Trigger): string {
  switch (trigger.kind) {
    case 'event':
      return trigger.type
    case 'actor':
      return `${trigger.outcome}(${trigger.src})`
    case 'after':
      return typeof trigger.delay === 'number' ? `after ${trigger.delay} ms` : `after ${trigger.delay}`
    default:
      return trigger.kind
  }
}

/** The events xstate makes up itself, each with what it stands for. */
function triggersOf(node: AnyStateNode, invokes: ChartInvoke[]): Map<string, Trigger> {
  return new Map<string, Trigger>([
    [`xstate.done.state.${node.id}`, { kind: 'done' }],
    ...invokes.flatMap(({ id, src }): [string, Trigger][] => [
      [`xstate.done.actor.${id}`, { kind: 'actor', outcome: 'done', id, src }],
      [`xstate.error.actor.${id}`, { kind: 'actor', outcome: 'error', id, src }],
      [`xstate.snapshot.${id}`, { kind: 'actor', outcome: 'snapshot', id, src }],
    ]),
    ...node.after.map(({ eventType, delay }): [string, Trigger] => [
      eventType,
      { kind: 'after', delay: typeof delay === 'function' ? 'inline' : delay },
    ]),
  ])
}

function initialOf(node: AnyStateNode): string | undefined {
  return node.initial.target[0]?.id
}

function namesOf(actions: unknown): string[] {
  const list: unknown[] = Array.isArray(actions) ? actions : actions === undefined ? [] : [actions]
  return list.map(actionName)
}
