import { type Context, createContext, Script } from 'node:vm'
import { isObject } from '../../src/protocol/json-rpc.ts'

/** What ran out of time. */
export class OutOfTimeError extends Error {}

/**
 * Runs what a server may have made endless: a pattern that backtracks, references that multiply. Nothing but the engine can stop
 * those, and it stops regular expressions too. Costs a timer thread, so it is for what cannot be known to be short.
 * @throws OutOfTimeError, or what `run` throws.
 */
export function withinTime<Result>(timeoutMs: number, run: () => Result): Result {
  context ??= createContext()
  context.run = run
  try {
    return script.runInContext(context, { timeout: timeoutMs })
  } catch (error) {
    // An error of that context, whose classes are its own.
    if (isObject(error) && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new OutOfTimeError(`it takes longer than ${timeoutMs} ms`)
    throw error
  } finally {
    context.run = undefined
  }
}

const script = new Script('run()')
let context: Context | undefined
