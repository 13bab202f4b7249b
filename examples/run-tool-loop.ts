import type { Provider, ToolCall, ToolResult } from 'mcp-troupe'
import type { Message, Model } from './scripted-model.ts'

export interface ToolLoop {
  readonly model: Model
  /** Anything that has tools: a client, a registry, a policy over one. */
  readonly tools: Provider
  readonly question: string
  readonly onCall?: (call: ToolCall) => void
  readonly onResult?: (result: ToolResult, call: ToolCall) => void
  /** Turns of a model that never comes to an end; default 20. */
  readonly maxTurns?: number
}

/** Asks, makes the calls the model wants, hands it their results, until it answers. Nothing of a tool throws: the model reads what went wrong. */
export async function runToolLoop({
  model,
  tools,
  question,
  onCall,
  onResult,
  maxTurns = 20,
}: ToolLoop): Promise<string> {
  const messages: Message[] = [{ role: 'user', content: question }]
  for (let turn = 0; turn < maxTurns; turn++) {
    // Listed every time: servers come, go and change. It costs nothing while nothing changes.
    const answer = await model(messages, await tools.toolsForLlm())
    messages.push(answer)
    const calls = answer.tool_calls ?? []
    if (calls.length === 0) return answer.content
    for (const call of calls) onCall?.(call)
    const results = await tools.executeToolCalls(calls)
    for (const [index, call] of calls.entries()) {
      const result = results[index]
      if (result) onResult?.(result, call)
    }
    messages.push(...results)
  }
  throw new Error(`The model did not come to an end within ${maxTurns} turns`)
}
