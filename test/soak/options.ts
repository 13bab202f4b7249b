import { parseArgs } from 'node:util'

export interface SoakOptions {
  readonly seconds: number
  /** The same seed kills the same servers and makes the same calls, as far as timing lets it. */
  readonly seed: number
}

const usage = `npm run soak -- [options]
  --seconds <n>   how long calls are made and servers killed (60)
  --seed <n>      what chance goes by (the time)
`

export function parseOptions(argv: string[]): SoakOptions {
  const { values } = parse(argv)
  if (values.help) leave(usage, 0)
  return {
    seconds: wholeNumber('--seconds', values.seconds),
    seed: wholeNumber('--seed', values.seed ?? String(Date.now() % 1_000_000)),
  }
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      options: {
        seconds: { type: 'string', default: '60' },
        seed: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    return leave(`${(error as Error).message}\n\n${usage}`)
  }
}

function wholeNumber(option: string, text: string): number {
  const number = Number(text)
  return Number.isSafeInteger(number) && number > 0
    ? number
    : leave(`${option} takes a whole number from 1, not ${text}\n`)
}

function leave(message: string, exitCode = 2): never {
  process.stderr.write(message)
  process.exit(exitCode)
}
