import type { ToolCall, ToolDeclaration, ToolResult } from 'mcp-troupe'

export type Message =
  | { readonly role: 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly tool_calls?: readonly ToolCall[] }
  | ToolResult

/** A model, as the chat APIs have it: answers a conversation with text, or with the calls it wants made first. */
export type Model = (
  messages: readonly Message[],
  tools: readonly ToolDeclaration[],
) => Promise<Message & { readonly role: 'assistant' }>

/** One turn of a script: what the last results were becomes calls, or the answer. */
export type Turn = (results: readonly string[]) => string | readonly Wanted[]
export type Wanted = readonly [tool: string, args: { readonly [name: string]: unknown }]

/** Says what it was told to say; costs nothing, and says it again the next time. */
export function scriptedModel(turns: readonly Turn[]): Model {
  let calls = 0
  return async (messages) => {
    const turn = turns[messages.filter(({ role }) => role === 'assistant').length]
    const results = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
    const said = turn?.(results.map(({ content }) => content)) ?? 'I have nothing more to say.'
    if (typeof said === 'string') return { role: 'assistant', content: said }
    const tool_calls = said.map(([name, args]) => ({
      id: `call_${++calls}`,
      function: { name, arguments: JSON.stringify(args) },
    }))
    return { role: 'assistant', content: '', tool_calls }
  }
}
