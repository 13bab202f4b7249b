// The same tool, as ours has it: on the built package, as a user imports it.

import { McpServer } from 'mcp-troupe/server'

export const server = new McpServer({ name: 'ours', version: '1.0.0' })
const params = { text: { type: 'string', required: true } }
server.tool('echo', { description: 'Returns its text.', params }, ({ text }) => text)
