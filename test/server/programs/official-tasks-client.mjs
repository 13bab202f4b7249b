// The official client and its package for tasks, at the URL of a server: says in one line of JSON what came of each of its calls.

import process from 'node:process'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createTaskSessionFromClient } from '@modelcontextprotocol/ext-tasks/client'

const url = new URL(process.argv[2])
const clientInfo = { name: 'official', version: '1' }
const capabilities = { elicitation: {} }
const client = new Client(clientInfo, { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities })
await client.connect(new StreamableHTTPClientTransport(url))

let sent = 0
/** What the client itself cannot frame yet, its host sends. */
async function rawDispatch({ method, params }) {
  const subject = params.name ?? params.taskId
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': subject,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: `raw-${++sent}`, method, params }),
  })
  const { result, error } = await response.json()
  return error ? { kind: 'error', error } : { kind: 'result', result }
}

const session = createTaskSessionFromClient(client, {
  endpointId: 'test',
  rawDispatch,
  v2RequestFraming: { protocolVersion: '2026-07-28', clientInfo, clientCapabilities: capabilities },
  onInputRequest: async ({ params }) => {
    const [field] = Object.keys(params.requestedSchema.properties)
    return { action: 'accept', content: { [field]: field === 'age' ? 36 : 'Ada' } }
  },
})

for (const [name, args] of [
  ['plain', {}],
  ['echo', { text: 'hi' }],
  ['fails', {}],
  ['refuses', {}],
  ['ask', {}],
  ['ask-first', {}],
]) {
  const execution = await session.callTool(name, args)
  const { outcome, lastTask } = await execution.settle()
  say(name, { kind: execution.kind, status: lastTask?.status, outcome })
}
const waiting = await session.callTool('wait', {})
await waiting.cancel()
say('wait', { kind: waiting.kind, outcome: await waiting.result() })
await session.close()
await client.close()

function say(name, what) {
  process.stdout.write(
    `${JSON.stringify([name, what], (_, value) => (value instanceof Error ? { ...value, message: value.message } : value))}\n`,
  )
}
