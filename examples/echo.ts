/** The smallest useful server: `npx tsx examples/echo.ts` on stdio. */
import { McpServer, serveStdio } from 'mcp-troupe/server'

const server = new McpServer({ name: 'echo', version: '1.0.0' })
const params = { text: { type: 'string', description: 'What is said', required: true } } as const

server.tool('echo', { description: 'Says a text again', params }, ({ text }) => text)

server.tool('reverse', { description: 'Says a text backwards', params }, ({ text }) =>
  [...new Intl.Segmenter().segment(text)]
    .map(({ segment }) => segment)
    .reverse()
    .join(''),
)

await serveStdio(server)
