import { contenderNames } from './contenders.ts'
import type { Machine } from './machine.ts'
import type { RowSummary } from './summarize.ts'

export interface Report {
  readonly machine: Machine
  readonly rounds: number
  readonly quick: boolean
  readonly notes: readonly string[]
  readonly rows: readonly RowSummary[]
}

const headings = ['row', 'raw', 'official', 'ours', 'ours inline', 'ratio', 'inline ratio', 'target', 'met?']

export function toMarkdown({ machine, rounds, quick, notes, rows }: Report): string {
  const lines = [
    '# Benchmark',
    '',
    `mcp-troupe ${machine.ours} against @modelcontextprotocol/client ${machine.officialClient} and server ${machine.officialServer}, revision 2026-07-28 over stdio or HTTP.`,
    `Node ${machine.node}, ${machine.cores} cores (${machine.cpu}), ${machine.system}, load before ${machine.load}, ${machine.date}.`,
    `Medians of ${rounds} interleaved ${quick ? 'short ' : ''}round${rounds === 1 ? '' : 's'}; a ratio is ours divided by official.`,
    'Event-loop delay is what a native 1 ms timer of the host loop exceeds 1 ms by. On a shared machine only ratios travel.',
    '',
    ...toTable([headings, ...rows.map(toCells)]),
    ...notes.flatMap((note) => ['', `> ${note}`]),
  ]
  return `${lines.join('\n')}\n`
}

function toCells(row: RowSummary): string[] {
  const label = row.unit ? `${row.label}, ${row.unit}` : row.label
  const figures = contenderNames.map((name) => format(row.medians[name]))
  return [label, ...figures, format(row.ratio, 2), format(row.inlineRatio, 2), targetOf(row), metOf(row)]
}

function targetOf({ target, inlineTarget, moreIsBetter }: RowSummary): string {
  const sign = moreIsBetter ? '>=' : '<='
  if (target === undefined) return ''
  return inlineTarget === undefined
    ? `${sign} ${target}`
    : `${sign} ${target}, inline ${sign} ${inlineTarget}`
}

function metOf({ target, met, inlineTarget, inlineMet }: RowSummary): string {
  const said = (verdict: boolean | undefined) => (verdict === undefined ? '–' : verdict ? 'yes' : 'no')
  if (target === undefined) return ''
  return inlineTarget === undefined ? said(met) : `${said(met)}, inline ${said(inlineMet)}`
}

function format(value: number | undefined, digits = digitsFor(value)): string {
  if (value === undefined) return '–'
  return value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))/g, ' ')
}

function digitsFor(value = 0): number {
  return value >= 100 ? 0 : value >= 10 ? 1 : 2
}

function toTable(cells: readonly string[][]): string[] {
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  const [first = [], ...rest] = cells
  return [line(first), line(rule), ...rest.map(line)]
}
