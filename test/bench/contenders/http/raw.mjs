// undici's `request` and nothing else: what the sockets, HTTP and the JSON themselves cost.

import { Agent, request } from 'undici'

const version = '2026-07-28'
const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': version,
}

export async function connect({ url }) {
  const dispatcher = new Agent()
  let nextId = 1

  async function ask(method, params, ownHeaders) {
    const message = { jsonrpc: '2.0', id: nextId++, method, params: { ...params, _meta: meta } }
    const response = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { ...headers, 'mcp-method': method, ...ownHeaders },
      body: JSON.stringify(message),
    })
    const text = await response.body.text()
    const isStream = response.headers['content-type'] === 'text/event-stream'
    const { result, error } = JSON.parse(isStream ? dataOf(text) : text)
    if (error) throw new Error(error.message)
    return result
  }

  await ask('server/discover', {})
  return {
    call: (name, args) => ask('tools/call', { name, arguments: args }, { 'mcp-name': name }),
    close: () => dispatcher.close(),
  }
}

/** What the only event of the stream says. */
function dataOf(text) {
  const start = text.indexOf('data: ') + 'data: '.length
  return text.slice(start, text.indexOf('\n', start))
}
