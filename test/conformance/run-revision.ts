import { readBaseline } from './baseline.ts'
import type { Leg } from './legs.ts'
import type { RefereeRun } from './referee.ts'
import { type Requirements, type Revision, readRequirements } from './requirements.ts'
import { complaintsAbout, complaintsAlone, excusedComplaints, type Verdict } from './verdict.ts'

export interface RunOptions {
  readonly scenario: string | undefined
  /** Leaves out the pass in which every scenario runs by itself. */
  readonly isFast: boolean
}

/** Judges one side at one revision. No verdicts when `scenario` is none of the revision's. */
export async function runRevision(leg: Leg, revision: Revision, options: RunOptions): Promise<Verdict[]> {
  const required = await readRequirements(leg.name, revision)
  const { scenario, isFast } = options
  if (scenario !== undefined) {
    const isKnown = [...required.scored, ...required.unscored].includes(scenario)
    return isKnown ? [await judgeAlone(leg, revision, scenario)] : []
  }
  const again: Verdict[] = []
  for (const verdict of await judgeTogether(leg, revision, required)) {
    const deserves = isSound(verdict) ? !isFast : leg.isCrowded && isJudged(verdict, required)
    again.push(deserves ? await judgeAlone(leg, revision, verdict.scenario, verdict) : verdict)
  }
  return again
}

async function judgeTogether(leg: Leg, revision: Revision, required: Requirements): Promise<Verdict[]> {
  const { scored, unscored } = required
  const excused = await readBaseline(leg.name)
  note(leg, revision, `${scored.length + unscored.length} scenarios at once`)
  const run = await leg.together(revision)
  const verdicts = [...scored, ...unscored].map((scenario): Verdict => {
    const result = run.results.get(scenario)
    const about = { scenario, revision, result }
    if (unscored.includes(scenario) && !leg.mindsUnscored(scenario))
      return { ...about, standing: 'unscored', complaints: [] }
    return excused.has(scenario)
      ? { ...about, standing: 'excused', complaints: excusedComplaints(result) }
      : { ...about, standing: 'scored', complaints: complaintsAbout(result) }
  })
  return [...verdicts, ...unexplained(run, revision, verdicts)]
}

async function judgeAlone(
  leg: Leg,
  revision: Revision,
  scenario: string,
  before?: Verdict,
): Promise<Verdict> {
  note(leg, revision, `${scenario} by itself`)
  const run = await leg.alone(scenario, revision)
  const complaints = complaintsAlone(run, scenario).map((complaint) => `alone: ${complaint}`)
  const result = before && complaints.length === 0 ? before.result : run.results.get(scenario)
  return { scenario, revision, standing: 'scored', result, complaints }
}

/** A referee that is not content although no scenario failed was not understood, or broke. */
function unexplained(run: RefereeRun, revision: Revision, verdicts: readonly Verdict[]): Verdict[] {
  const isExplained = run.exitCode === 0 || verdicts.some(({ complaints }) => complaints.length > 0)
  if (isExplained) return []
  const lastLines = run.output.trim().split('\n').slice(-10)
  const complaints = [`exited with code ${run.exitCode}`, ...lastLines]
  return [{ scenario: 'the referee itself', revision, standing: 'scored', result: undefined, complaints }]
}

/** The referee's own trouble is no scenario. */
function isJudged({ standing, scenario }: Verdict, { scored, unscored }: Requirements): boolean {
  return standing === 'scored' && [...scored, ...unscored].includes(scenario)
}

function isSound({ standing, complaints }: Verdict): boolean {
  return standing === 'scored' && complaints.length === 0
}

function note(leg: Leg, revision: Revision, text: string): void {
  process.stderr.write(`${leg.name} ${revision}: ${text}\n`)
}
