// The official client over HTTP as it comes, pinned to the modern revision.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

export async function connect({ url }) {
  const versionNegotiation = { mode: { pin: '2026-07-28' } }
  const client = new Client({ name: 'official', version: '1.0.0' }, { versionNegotiation })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  if (client.getNegotiatedProtocolVersion() !== '2026-07-28') throw new Error('the connection is not modern')
  return {
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  }
}
