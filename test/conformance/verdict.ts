import type { RefereeRun } from './referee.ts'
import type { Revision } from './requirements.ts'
import type { Check, Result } from './results.ts'

/** What came of one scenario at one revision. */
export interface Verdict {
  readonly scenario: string
  readonly revision: Revision
  /** `excused`: in the baseline, where failing is expected and passing is not. `unscored`: never judged. */
  readonly standing: 'scored' | 'excused' | 'unscored'
  readonly result: Result | undefined
  /** Why it failed; empty when it did not. */
  readonly complaints: readonly string[]
}

/** Why a scenario does not pass. Stricter than the referee: a warning counts, and so does a scenario in which nothing succeeded. */
export function complaintsAbout(result: Result | undefined): string[] {
  if (!result) return ['the referee left no result']
  const broken = result.checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
  if (broken.length === 0 && !result.checks.some(({ status }) => status === 'SUCCESS'))
    return ['not one check succeeded: nothing was tested', ...lastWords(result)]
  return broken.length ? [...broken.map(describe), ...lastWords(result)] : []
}

/** The same of a scenario that ran by itself, where the referee minds how the client ended. */
export function complaintsAlone({ exitCode, output, results }: RefereeRun, scenario: string): string[] {
  const result = results.get(scenario)
  const complaints = complaintsAbout(result)
  if (exitCode === 0 || complaints.length) return complaints
  const reasons = output.match(/^Client (?:exited with code|timed out after) .*$/gm)
  return [...(reasons ?? [`the referee exited with code ${exitCode}`]), ...(result ? lastWords(result) : [])]
}

export function excusedComplaints(result: Result | undefined): string[] {
  return complaintsAbout(result).length ? [] : ['passes, so it must leave baseline.yml']
}

/** One line a check; what it says may have several. */
export function describe({ id, status, description, errorMessage }: Check): string {
  return `${status} ${id}: ${(errorMessage ?? description).replaceAll('\n', ' ')}`
}

/** What the client said last, without the frames of a stack. */
function lastWords({ stderr }: Result): string[] {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !/^ +at /.test(line))
  return lines.slice(-6).map((line) => `stderr: ${line}`)
}
