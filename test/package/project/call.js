// What a user of the package writes. It must end by itself.
import process from 'node:process'
import { McpClient } from 'mcp-troupe'

const client = McpClient.connectStdio({ command: process.execPath, args: process.argv.slice(2) })
const states = []
client.on('state', ({ value }) => states.push(value))
const { content } = await client.callTool('echo', { text: 'from an installed package' })
await client.close()
process.stdout.write(JSON.stringify({ content, era: client.state.context.era, last: states.at(-1) }))
