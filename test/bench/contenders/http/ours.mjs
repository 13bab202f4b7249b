// Our client over HTTP as a user imports it: the built package, its connection in a worker thread.

import { McpClient } from 'mcp-troupe'

export async function connect({ url }, { hosting } = {}) {
  const mcp = McpClient.connectHttp({ url, ...(hosting && { hosting }) })
  const era = await mcp.era()
  if (era !== 'modern') throw new Error(`the connection is ${era}`)
  return {
    call: (name, args) => mcp.callTool(name, args),
    close: () => mcp.close(),
  }
}
