import type { InputRequest } from '../../protocol/input-requests.ts'
import { mayAskForInput } from '../../protocol/results.ts'
import type { Asker } from '../input/asker.ts'
import type { Answers, AskedCall, RequestStates } from '../input/request-states.ts'
import { Rounds } from '../input/rounds.ts'
import type { MethodResult } from '../methods/method.ts'
import type { Caller } from './caller.ts'

/** What came of a modern request: a result, or questions. */
export type ModernOutcome =
  | ({ readonly kind: 'complete' } & MethodResult)
  | {
      readonly kind: 'input_required'
      readonly inputRequests: { readonly [key: string]: InputRequest }
      readonly requestState: string
    }

/** Runs one round of a call: to its result, or to the first questions that nobody has answered yet. */
export async function runRound(
  call: AskedCall,
  caller: Caller,
  states: RequestStates,
  serve: (asker: Asker) => MethodResult | Promise<MethodResult>,
): Promise<ModernOutcome> {
  const { method, params } = call
  if (!mayAskForInput(method)) return { kind: 'complete', ...(await serve(nobody)) }
  // Most calls bring no state, and nothing is waited for then.
  const earlier: Answers = params.requestState === undefined ? {} : await states.read(call)
  return new Promise((resolve, reject) => {
    const rounds = new Rounds({
      declared: caller.clientCapabilities,
      earlier,
      responses: params.inputResponses,
      onSuspended: (inputRequests, answers) =>
        resolve({
          kind: 'input_required',
          inputRequests,
          requestState: states.write(call, answers),
        }),
    })
    const complete = (result: MethodResult) => resolve({ kind: 'complete', ...result })
    Promise.resolve(serve(rounds)).then(complete, reject)
  })
}

const nobody: Asker = {
  ask: (method) =>
    Promise.reject(new Error(`${method} cannot be asked here: only tools, resources and prompts ask`)),
}
