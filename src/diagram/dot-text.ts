import type { ChartState } from './chart.ts'
import { activities, type Label, labelText } from './labels.ts'
import { colours } from './theme.ts'

export type Attributes = Record<string, string | number | Markup>

/** A label in Graphviz' own HTML. */
export type Markup = { html: string }

export function attributes(values: Attributes): string {
  return Object.entries(values)
    .filter(([name, value]) => value !== '' || name === 'label')
    .map(([name, value]) => `${name}=${typeof value === 'object' ? `<${value.html}>` : quote(String(value))}`)
    .join(', ')
}

export function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

export function indent(lines: string[]): string[] {
  return lines.map((line) => `  ${line}`)
}

/** A state's name and, smaller below it, what it runs and does while it is active. */
export function stateLabel(state: ChartState): Markup {
  const align = state.states.length === 0 ? 'CENTER' : 'LEFT'
  const lines = activities(state).map(
    ({ kind, text }) => `<FONT POINT-SIZE="10" COLOR="${colours[kind]}">${escapeHtml(text)}</FONT>`,
  )
  const rows = [`<B>${escapeHtml(state.key)}</B>`, ...lines].map(
    (line) => `<TR><TD ALIGN="${align}">${line}</TD></TR>`,
  )
  const border = state.states.length === 0 ? 0 : 4
  return {
    html: `<TABLE BORDER="${border}" COLOR="transparent" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1">${rows.join('')}</TABLE>`,
  }
}

export function transitionLabel(labels: Label[]): Markup {
  const lines = labels.map(
    (label) => `<FONT COLOR="${colours[label.kind]}">${escapeHtml(labelText(label))}</FONT>`,
  )
  return { html: lines.join('<BR/>') }
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
