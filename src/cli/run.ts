import { splitCommandLine } from './command-line.ts'
import { exitCodeOf } from './exit-codes.ts'
import { reportFailure } from './failure.ts'
import { hiding } from './hiding-io.ts'
import type { Io } from './io.ts'

/** Runs one command line, without the program's own name; resolves with the exit code and never rejects. */
export async function run(argv: readonly string[], outside: Io): Promise<number> {
  const io = hiding(outside)
  try {
    const { own, target } = splitCommandLine(argv)
    const { execute } = await import('./program.ts')
    return await execute(own, target, io)
  } catch (error) {
    // Whatever failed after an interruption failed because of it.
    const cause: unknown = io.interrupt.aborted ? io.interrupt.reason : error
    const dashes = argv.indexOf('--')
    const own = dashes < 0 ? argv : argv.slice(0, dashes)
    reportFailure(cause, io, { json: own.includes('--json'), verbose: own.includes('--verbose') })
    return exitCodeOf(cause)
  }
}
