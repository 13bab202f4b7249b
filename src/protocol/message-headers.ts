import { headerValue } from './header-values.ts'
import { isLegacyVersion } from './versions.ts'

/** What of one message goes into HTTP headers, so that gateways need not parse bodies. */
export interface MessageAddress {
  /** Undefined before a legacy server has agreed on one. */
  readonly version: string | undefined
  /** Undefined for a response. */
  readonly method: string | undefined
  /** `params.name`, `params.uri` or `params.taskId`. */
  readonly subject?: string | undefined
  /** Mirrored arguments: see `paramHeaders`. */
  readonly params?: { readonly [name: string]: string } | undefined
}

/** The methods whose subject is mirrored, and which of their parameters that is. */
const subjects: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

/** The parameter that `Mcp-Name` mirrors; undefined for methods that have no such header. */
export function subjectOf(method: string): string | undefined {
  return subjects.get(method)
}

/** The protocol's own headers of one message. Legacy servers know the version alone. */
export function messageHeaders({ version, method, subject, params }: MessageAddress): {
  readonly [name: string]: string
} {
  const headers: { [name: string]: string } = { ...params }
  if (version === undefined) return headers
  headers['mcp-protocol-version'] = version
  if (isLegacyVersion(version) || method === undefined) return headers
  headers['mcp-method'] = method
  if (subject !== undefined && subjects.has(method)) headers['mcp-name'] = headerValue(subject)
  return headers
}
