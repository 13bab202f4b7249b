// A tool's handler in a module, of a server that a user of the package writes. It must end by itself.
import process from 'node:process'
import { isMainThread } from 'node:worker_threads'
import { ProtocolError } from 'mcp-troupe'
import { McpServer } from 'mcp-troupe/server'

export default ({ text }) => {
  if (text === 'refuse') throw new ProtocolError({ code: 4711, message: 'refused' })
  return `${isMainThread ? 'here' : 'in a thread'}: ${text}`
}

if (isMainThread) {
  const server = new McpServer({ name: 'cruncher' })
  server.tool('crunch', { params: { text: { type: 'string' } } }, new URL(import.meta.url))
  const call = (text) => ({ id: text, function: { name: 'crunch', arguments: { text } } })
  const results = await server.executeToolCalls([call('hello'), call('refuse')])
  process.stdout.write(JSON.stringify(results.map(({ content }) => content)))
}
