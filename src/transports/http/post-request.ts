import type { Outbound } from '../transport.ts'
import type { Traffic } from './traffic.ts'
import type { HttpRequest } from './wire.ts'

/** The POST that carries a message. */
export function postRequest({ wire, session, path }: Traffic, message: Outbound): HttpRequest {
  const headers = [...alwaysSent, ...session.idHeader]
  for (const name in message.headers) headers.push(name, message.headers[name] ?? '')
  return {
    method: 'POST',
    path,
    headers,
    body: message.text,
    lane: message.kind === 'request' && !quick.has(message.method) ? 'calls' : 'control',
    isRepeatable: isRepeatable(message),
    idleTimeoutMs: wire.idleTimeoutMs,
  }
}

/**
 * Whether a server may be sent it twice. It may have acted on a request whose connection broke before an answer: only what
 * changes nothing, or what the id of the message makes harmless, is sent again.
 */
export function isRepeatable(message: Outbound): boolean {
  return message.kind !== 'request' || repeatable.has(message.method) || message.method.endsWith('/list')
}

/** Whether the stream of its answer may be gone on with: a modern one is lost with its connection. */
export function isResumable({ headers = {} }: Outbound): boolean {
  return !Object.keys(headers).some((name) => name.toLowerCase() === 'mcp-method')
}

const alwaysSent = ['content-type', 'application/json', 'accept', 'application/json, text/event-stream']

/** What keeps a connection in order. Not `server/discover`: the first call takes the connection that it made. */
const quick = new Set(['initialize', 'ping', 'logging/setLevel', 'resources/unsubscribe', 'tasks/cancel'])

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
