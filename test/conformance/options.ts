import { parseArgs } from 'node:util'
import { type LegName, legs } from './legs.ts'
import { type Revision, revisions } from './requirements.ts'

export interface ConformanceOptions {
  readonly legNames: readonly LegName[]
  readonly revisions: readonly Revision[]
  /** Only this one, by itself, judged whether it is scored or not. */
  readonly scenario: string | undefined
  readonly isFast: boolean
  readonly isVerbose: boolean
}

const legNames = Object.keys(legs) as LegName[]

const usage = `npm run conformance -- [leg] [options]
  leg                the side to judge (${legNames.join(', ')}); default all
  --revision <date>  only this one (${revisions.join(', ')})
  --scenario <name>  only this one, by itself, in or out of the baseline
  --fast             leave out the second pass, which runs every scenario by itself
  --verbose          every check, and what the client printed
`

export function parseOptions(argv: string[]): ConformanceOptions {
  const { values, positionals } = parse(argv)
  if (values.help) leave(usage, 0)
  return {
    legNames: positionals.length ? positionals.map(toLeg) : legNames,
    revisions: values.revision === undefined ? revisions : [toRevision(values.revision)],
    scenario: values.scenario,
    isFast: values.fast,
    isVerbose: values.verbose,
  }
}

export function leave(message: string, exitCode = 2): never {
  process.stderr.write(message)
  process.exit(exitCode)
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        revision: { type: 'string' },
        scenario: { type: 'string' },
        fast: { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    return leave(`${(error as Error).message}\n\n${usage}`)
  }
}

function toLeg(name: string): LegName {
  return legNames.find((known) => known === name) ?? leave(`no leg is called ${name}\n\n${usage}`)
}

function toRevision(date: string): Revision {
  return revisions.find((known) => known === date) ?? leave(`no revision is called ${date}\n\n${usage}`)
}
