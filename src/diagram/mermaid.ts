import { type Chart, type ChartState, isInside, statesOf } from './chart.ts'
import { type Edge, edgesOf, startsAround } from './edges.ts'
import { activities, labelText } from './labels.ts'

/** The chart as a Mermaid `stateDiagram-v2`, which GitHub draws in Markdown. */
export function toMermaid(chart: Chart): string {
  const names = namesOf(chart)
  return ['stateDiagram-v2', ...indent(drawState(chart.root, edgesOf(chart), names)), ''].join('\n')
}

type Names = Map<string, string>

function drawState(state: ChartState, edges: Edge[], names: Names): string[] {
  const name = nameOf(state, names)
  // Not Mermaid's `--`: no arrow may cross it.
  const title = [
    state.type === 'parallel' ? `${state.key} (parallel)` : state.key,
    ...activities(state).map(({ text }) => text),
  ]
    .map(plain)
    .join('<br>')
  if (state.type === 'history') return [`state "${state.history === 'deep' ? 'H*' : 'H'}" as ${name}`]
  if (state.states.length === 0)
    return [`state "${title}" as ${name}`, ...(state.type === 'final' ? [`${name} --> [*]`] : [])]
  const own = edges.filter(({ home }) => home === state)
  return [
    `state "${title}" as ${name} {`,
    ...indent([
      ...drawInitial(state, names),
      // Mermaid cannot draw an arrow from a composite state to what is inside it.
      ...(own.some(startsAround) ? [`state "any state" as ${name}__any`] : []),
      ...state.states.flatMap((child) => drawState(child, edges, names)),
      ...own.map((edge) => drawEdge(edge, names)),
    ]),
    '}',
  ]
}

function drawInitial(state: ChartState, names: Names): string[] {
  const target = state.states.find(({ id }) => id === state.initial)
  return target === undefined ? [] : [`[*] --> ${nameOf(target, names)}`]
}

function drawEdge(edge: Edge, names: Names): string {
  const from = nameOf(edge.from, names)
  // Mermaid hangs on an arrow to a composite state from inside it: such a one ends where entering that state leads.
  const to = isInside(edge.from, edge.to) ? firstOf(edge.to) : edge.to
  const label = edge.labels.map((label) => plain(labelText(label))).join('<br>')
  return `${startsAround(edge) ? `${from}__any` : from} --> ${nameOf(to, names)} : ${label}`
}

const commands = /^(acc|as|class|click|default|direction|end|hide|href|note|scale|state|style)/i

/** Mermaid's own names for the states: it takes no dots, and some words for commands. */
function namesOf(chart: Chart): Names {
  const names: Names = new Map()
  for (const { id } of statesOf(chart.root)) {
    const word = id.replaceAll(/\W/g, '_')
    const name = commands.test(word) ? `s_${word}` : word
    const taken = [...names.values()]
    names.set(id, taken.includes(name) ? `${name}_${names.size}` : name)
  }
  return names
}

function nameOf(state: ChartState, names: Names): string {
  return names.get(state.id) ?? state.id
}

function firstOf(state: ChartState): ChartState {
  return state.states.find(({ id }) => id === state.initial) ?? state.states[0] ?? state
}

/** Text without what Mermaid would read as syntax. */
function plain(text: string): string {
  return text.replaceAll(/["#:;<>{}\\`]/g, (character) => `#${character.charCodeAt(0)};`)
}

function indent(lines: string[]): string[] {
  return lines.map((line) => `  ${line}`)
}
