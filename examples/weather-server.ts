/** A server made of a toolkit: `npx tsx examples/weather-server.ts` on stdio. */
import { McpServer, serveStdio } from 'mcp-troupe/server'
import { weather } from './weather.ts'

const server = new McpServer({ name: 'weather', version: '1.0.0' })
server.plug(weather())
await serveStdio(server)
