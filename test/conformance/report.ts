import type { LegName } from './legs.ts'
import { toTable } from './table.ts'
import { describe, type Verdict } from './verdict.ts'

/** What people read: the table, and below it everything that failed, with the referee's own words. */
export function toReport(
  leg: LegName,
  verdicts: readonly Verdict[],
  { isVerbose }: { readonly isVerbose: boolean },
): string {
  const failed = verdicts.filter(({ complaints }) => complaints.length > 0)
  const blocks = [
    `# Conformance, ${leg}`,
    toTable(verdicts),
    'Figures are checks: success/failure/warning. Baseline scenarios fail and may; unscored ones are only reported.',
    ...failed.map(toFailure),
    ...(isVerbose ? verdicts.map(toDetails) : []),
  ]
  return `\n${blocks.join('\n\n')}\n`
}

function toFailure({ scenario, revision, complaints }: Verdict): string {
  return [`FAILED ${scenario} at ${revision}`, ...complaints.map((complaint) => `  ${complaint}`)].join('\n')
}

function toDetails({ scenario, revision, result }: Verdict): string {
  const checks = result?.checks.map(describe) ?? []
  const stderr = result?.stderr.trim() ? result.stderr.trim().split('\n') : []
  const lines = [...checks, ...stderr.map((line) => `stderr: ${line}`)]
  return [`${scenario} at ${revision}`, ...lines.map((line) => `  ${line}`)].join('\n')
}
