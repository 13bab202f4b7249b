// What every server is asked, and how an answer is known to be right.

const version = '2026-07-28'
const _meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'load', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const call = { name: 'echo', arguments: { text: 'hello' } }

export const modern = {
  version,
  opening: [{ jsonrpc: '2.0', id: 'first', method: 'server/discover', params: { _meta } }],
  call: { method: 'tools/call', params: { ...call, _meta } },
}

export const legacy = {
  opening: [
    {
      jsonrpc: '2.0',
      id: 'first',
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'load', version: '1.0.0' },
      },
    },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ],
  call: { method: 'tools/call', params: call },
}

export const isRight = (answer) => answer.includes('"text":"hello"')
