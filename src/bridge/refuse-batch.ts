import { complaintAbout } from './execute-options.ts'
import type { ToolResult } from './provider.ts'
import { idOf } from './read-call.ts'
import { failed, notMade, toolResult } from './tool-result.ts'

/** What answers calls that are no array, or that were given with bad options: nothing of them is done. Undefined where they can be run. */
export function refusedBatch(calls: unknown, options: unknown): readonly ToolResult[] | undefined {
  if (!Array.isArray(calls)) return [toolResult('', failed('No call was made: the calls must be an array.'))]
  const complaint = complaintAbout(options)
  return complaint && refuseAll(calls, complaint)
}

/** The same answer to each, whatever was given in place of a call. */
export function refuseAll(calls: readonly unknown[], failure: Error): readonly ToolResult[] {
  return Array.from(calls, (call) => toolResult(idOf(call), notMade(failure)))
}
