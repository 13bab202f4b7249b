/** The reserved `_meta` keys of the modern era. Source: basic, "_meta". */
export const MetaKey = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const

const reservedPrefix = 'io.modelcontextprotocol/'

/** Keys only the protocol may write; a caller's own `_meta` must not. */
export function isReservedMetaKey(key: string): boolean {
  return key.startsWith(reservedPrefix) || key === 'progressToken'
}
