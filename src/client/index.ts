/** The client alone, for programs whose first connect must not wait for what they do not use: the same classes as of `mcp-troupe`. */
export * from '../errors.ts'
export { McpClient } from './client.ts'
export type { ClientOptions, HttpClientOptions, StdioClientOptions } from './options.ts'
