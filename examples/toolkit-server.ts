/** A server of packs beside a tool of its own: `npx tsx examples/toolkit-server.ts DIRECTORY` on stdio. */
import process from 'node:process'
import { McpServer, serveStdio } from 'mcp-troupe/server'
import { FileSystem, Shell } from 'mcp-troupe/toolkits'

const [root = '.'] = process.argv.slice(2)
const server = new McpServer({ name: 'workbench', instructions: `Files and git of ${root}.` })

server.plug(new FileSystem({ root }))
server.plug(new FileSystem({ root, readOnly: true, maxReadBytes: 2_000 }), { prefix: 'peek' })
server.plug(new Shell({ root, allow: ['git'], timeoutMs: 10_000 }))
server.tool('today', { annotations: { readOnlyHint: true } }, () => new Date().toISOString().slice(0, 10))

await serveStdio(server)
