import { failureText } from './failure-text.ts'
import type { ToolResult } from './provider.ts'

/** What came of a call, whoever asked for it: a result without its addressee. */
export type ToolOutcome = Omit<ToolResult, 'role' | 'tool_call_id'>

export function toolResult(toolCallId: string, outcome: ToolOutcome): ToolResult {
  return { role: 'tool', tool_call_id: toolCallId, ...outcome }
}

/** A failure as something a model can act on. `failure` is an error, or what to say. */
export function failed(failure: unknown): ToolOutcome {
  return { content: typeof failure === 'string' ? failure : failureText(failure), is_error: true }
}

/** The same of what stood in the way before anything was sent. */
export function notMade(failure: Error): ToolOutcome {
  return { content: failureText(failure, false), is_error: true }
}

/** Of a call that was cancelled while nothing of it had been sent. */
export const notBegun = failed('The call was not made: it was cancelled before its turn came.')
