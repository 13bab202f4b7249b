import { McpClient, type StdioClientOptions, type ToolCall } from '../../src/index.ts'
import { FakeTransport } from '../../src/testing/index.ts'

export const said = (text: string) => ({ content: [{ type: 'text', text }] })
export const safe = { readOnlyHint: true, idempotentHint: true }
export const tool = (name: string, annotations?: object) => ({
  name,
  inputSchema: { type: 'object' },
  annotations,
})
export const listed = {
  tools: [tool('read', safe), tool('list', safe), tool('stat', { readOnlyHint: true }), tool('write')],
}
const echoing = ({ params }: { readonly params: { readonly arguments?: unknown } }) =>
  said(JSON.stringify(params.arguments))

/** What a JavaScript application may pass where the types forbid it. */
export const untyped = (value: unknown) => value as never

export const call = (
  id: string,
  name = 'read',
  args: ToolCall['function']['arguments'] = { id },
): ToolCall => ({
  id,
  function: { name, arguments: args },
})

export async function connected(answers = {}, options: StdioClientOptions = {}) {
  const transport = FakeTransport.modern({
    answers: { 'tools/list': listed, 'tools/call': echoing, ...answers },
  })
  const warned: string[] = []
  const onWarn = (message: string) => void warned.push(message)
  const mcp = McpClient.connectStdio({ transport, onWarn, ...options })
  await mcp.era()
  return { transport, mcp, warned }
}
