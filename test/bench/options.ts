import { parseArgs } from 'node:util'
import { type Contender, contenderNames } from './contenders.ts'

export interface BenchOptions {
  readonly quick: boolean
  readonly json: boolean
  readonly rounds: number
  readonly only: string | undefined
  readonly contenders: readonly Contender[]
  readonly profile: string | undefined
}

const usage = `npm run bench -- [options]
  --quick              one short round (less than a minute)
  --rounds <n>         rounds to take medians over (5; 1 with --quick)
  --only <text>        only the rows whose name contains this
  --contender <name>   only this one; may be repeated (${contenderNames.join(', ')})
  --profile <dir>      write a CPU profile of every contender's process, and of its threads, below this folder
  --json               machine-readable output
`

export function parseOptions(argv: string[]): BenchOptions {
  const { values } = parse(argv)
  if (values.help) leave(usage, 0)
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 5))
  if (!Number.isSafeInteger(rounds) || rounds < 1)
    leave(`--rounds takes a whole number from 1, not ${values.rounds}\n`)
  return {
    quick: values.quick,
    json: values.json,
    rounds,
    only: values.only,
    contenders: values.contender?.map(toContender) ?? contenderNames,
    profile: values.profile,
  }
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      options: {
        quick: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        rounds: { type: 'string' },
        only: { type: 'string' },
        contender: { type: 'string', multiple: true },
        profile: { type: 'string' },
      },
    })
  } catch (error) {
    return leave(`${(error as Error).message}\n\n${usage}`)
  }
}

function toContender(name: string): Contender {
  return contenderNames.find((known) => known === name) ?? leave(`no contender is called ${name}\n\n${usage}`)
}

function leave(message: string, exitCode = 2): never {
  process.stderr.write(message)
  process.exit(exitCode)
}
