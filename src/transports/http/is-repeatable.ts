import type { Outbound } from '../transport.ts'

/**
 * Whether a server may be sent it twice. It may have acted on a request whose connection broke before an answer: only what
 * changes nothing, or what the id of the message makes harmless, is sent again.
 */
export function isRepeatable(message: Outbound): boolean {
  return message.kind !== 'request' || repeatable.has(message.method) || message.method.endsWith('/list')
}

const repeatable = new Set([
  'initialize',
  'server/discover',
  'ping',
  'prompts/get',
  'resources/read',
  'completion/complete',
  'tasks/get',
  'logging/setLevel',
])
