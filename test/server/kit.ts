import { McpServer, type McpServerOptions } from '../../src/server/index.ts'
import { TestKit } from '../../src/testing/index.ts'

/** A server with one of everything, and with tools that no author means to have. */
export function kit(options: Partial<McpServerOptions> = {}): McpServer {
  const server = new McpServer({
    name: 'kit',
    version: '1.2.3',
    instructions: 'A server to test with.',
    onLog: () => {},
    ...options,
  })
  server.plug(new TestKit())
  server.tool('liar', { outputSchema: { type: 'object' } }, () => ({ structuredContent: 'no object' }))
  server.tool('unwritable', {}, () => ({ content: [], structuredContent: 1n }))
  server.tool('shapeless', {}, () => 42 as never)
  return server
}
