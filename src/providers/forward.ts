import type { ExecuteOptions, Provider, ToolCall, ToolResult } from '../bridge/provider.ts'
import { idOf } from '../bridge/read-call.ts'
import { failed, type ToolOutcome, toolResult } from '../bridge/tool-result.ts'
import { refusals } from './policy/refusals.ts'

/**
 * Gives the calls that nothing was said about to the provider, as they are and all at once, and puts its answers in their places
 * among what was said of the others. Never rejects.
 */
export async function forward(
  provider: Provider,
  calls: readonly ToolCall[],
  said: readonly (ToolOutcome | undefined)[],
  options: ExecuteOptions,
): Promise<readonly ToolResult[]> {
  const allowed = calls.filter((_, index) => !said[index])
  const answers = allowed.length ? await execute(provider, allowed, options) : []
  let next = 0
  return calls.map((call, index) => {
    const outcome = said[index]
    if (outcome) return toolResult(idOf(call), outcome)
    const answer = answers[next]
    next += 1
    return answer ?? toolResult(idOf(call), failed('What runs the tools gave no answer to the call.'))
  })
}

async function execute(
  provider: Provider,
  calls: readonly ToolCall[],
  options: ExecuteOptions,
): Promise<readonly ToolResult[]> {
  if (options.signal?.aborted)
    return calls.map((call) => toolResult(idOf(call), refusals.cancelled(call.function.name)))
  try {
    return await provider.executeToolCalls(calls, options)
  } catch (failure) {
    return calls.map((call) => toolResult(idOf(call), failed(failure)))
  }
}
