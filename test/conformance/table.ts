import { revisions } from './requirements.ts'
import type { Check } from './results.ts'
import type { Verdict } from './verdict.ts'

/** A row a scenario, a column a revision that was run; scored rows first. */
export function toTable(verdicts: readonly Verdict[]): string {
  const ran = revisions.filter((revision) => verdicts.some((verdict) => verdict.revision === revision))
  const names = new Set([...verdicts].sort(byStanding).map(({ scenario }) => scenario))
  const rows = [...names].map((name) => [
    name,
    ...ran.map((revision) =>
      toCell(verdicts.find((verdict) => verdict.scenario === name && verdict.revision === revision)),
    ),
  ])
  return align([['scenario', ...ran], ...rows])
}

const order = ['scored', 'excused', 'unscored']

function byStanding(a: Verdict, b: Verdict): number {
  return order.indexOf(a.standing) - order.indexOf(b.standing)
}

function toCell(verdict: Verdict | undefined): string {
  if (!verdict) return '–'
  const figures = verdict.result ? tally(verdict.result.checks) : 'no result'
  return `${figures} ${verdictWord(verdict)}`
}

function verdictWord({ standing, complaints }: Verdict): string {
  if (complaints.length) return 'FAILED'
  return { scored: 'passed', excused: 'baseline', unscored: 'unscored' }[standing]
}

function tally(checks: readonly Check[]): string {
  const statuses = ['SUCCESS', 'FAILURE', 'WARNING'] as const
  return statuses.map((wanted) => checks.filter(({ status }) => status === wanted).length).join('/')
}

function align([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const toLine = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = widths.map((width) => '-'.repeat(width))
  return [head, rule, ...rows].map(toLine).join('\n')
}
