// A tool as the official SDK's documentation has it.

import { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'

export function createServer() {
  const server = new McpServer({ name: 'official', version: '1.0.0' })
  const inputSchema = z.object({ text: z.string() })
  server.registerTool('echo', { description: 'Returns its text.', inputSchema }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }))
  return server
}
