// The official client at its quickest: pinned to the modern revision unless a row asks it to find the era out.

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

export async function connect({ command, args }, { eraKnown = true } = {}) {
  const mode = eraKnown ? { pin: '2026-07-28' } : 'auto'
  const client = new Client({ name: 'official', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }))
  if (client.getNegotiatedProtocolVersion() !== '2026-07-28') throw new Error('the connection is not modern')
  return {
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  }
}
