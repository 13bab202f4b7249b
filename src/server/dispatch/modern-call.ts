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
      readonly inputRequests: Questions
      readonly requestState: string
    }

interface Questions {
  readonly [key: string]: InputRequest
}

/** Runs one round of a call: to its result, or to the first questions that nobody has answered yet. */
export function runRound(
  call: AskedCall,
  caller: Caller,
  states: RequestStates,
  serve: (asker: Asker) => MethodResult | Promise<MethodResult>,
): Promise<ModernOutcome> {
  const { method, params } = call
  const round = (earlier: Answers) =>
    new Promise<ModernOutcome>((resolve, reject) => {
      const complete = (result: MethodResult) => resolve({ kind: 'complete', ...result })
      const onSuspended = (inputRequests: Questions, answers: Answers) =>
        resolve({ kind: 'input_required', inputRequests, requestState: states.write(call, answers) })
      const { clientCapabilities: declared } = caller
      const asker = mayAskForInput(method)
        ? new Rounds({ declared, earlier, responses: params.inputResponses, onSuspended })
        : nobody
      Promise.resolve(serve(asker)).then(complete, reject)
    })
  // Most calls bring no state, and nothing is waited for then.
  return params.requestState === undefined || !mayAskForInput(method)
    ? round({})
    : states.read(call).then(round)
}

const nobody: Asker = {
  ask: (method) =>
    Promise.reject(new Error(`${method} cannot be asked here: only tools, resources and prompts ask`)),
}
