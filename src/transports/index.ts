export { type StdioOptions, StdioTransport } from './stdio/stdio-transport.ts'
export type { Outbound, Transport, TransportEvents } from './transport.ts'
