// Our client as a user in a hurry imports it: the built package, its connection in a worker thread.

import { McpClient } from 'mcp-troupe/client'

export async function connect({ command, args }, { hosting } = {}) {
  const mcp = McpClient.connectStdio({ command, args, ...(hosting && { hosting }) })
  const era = await mcp.era()
  if (era !== 'modern') throw new Error(`the connection is ${era}`)
  return {
    call: (name, args) => mcp.callTool(name, args),
    close: () => mcp.close(),
  }
}
