import { AuthorizationError } from '../../errors.ts'
import { leadsToLoopback } from '../../loopback.ts'
import { checkTarget, mayBeLoopback, refusedTarget, shownTarget, type TargetRules } from './check-target.ts'

/** One request as it goes out. */
export interface Outgoing {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body: Uint8Array | undefined
}

/** What a redirect asks for, or undefined for an answer that is none. @throws AuthorizationError for one that is not followed */
export function nextRequest(
  request: Outgoing,
  { status, headers }: { readonly status: number; readonly headers: Headers },
  rules: TargetRules,
): Outgoing | undefined {
  const location = headers.get('location')
  if (!redirects.has(status) || location === null) return undefined
  const from = request.url
  if (!URL.canParse(location, from.href)) throw astray(from, status, 'to what is no URL')
  const url = new URL(location, from)
  const shown = shownTarget(url)
  if (from.protocol === 'https:' && url.protocol === 'http:')
    throw astray(from, status, `to ${shown}, which is not encrypted`)
  if (mayBeLoopback(url.hostname) && !leadsToLoopback(from.hostname))
    throw astray(from, status, `to ${shown}, which is this machine`)
  checkRedirected(() => checkTarget(url, rules), from, status)
  const isElsewhere = url.origin !== from.origin
  if (request.body && (isElsewhere || (status !== 307 && status !== 308)))
    throw astray(from, status, `to ${shown}; what was sent may hold credentials and is not sent there`)
  return { ...request, url, headers: isElsewhere ? withoutCredentials(request.headers) : request.headers }
}

function checkRedirected(check: () => void, from: URL, status: number): void {
  try {
    check()
  } catch (error) {
    throw error instanceof AuthorizationError ? astray(from, status, `astray: ${error.message}`) : error
  }
}

function astray(from: URL, status: number, what: string): AuthorizationError {
  return refusedTarget(`${shownTarget(from)} redirects (${status}) ${what}`)
}

function withoutCredentials(headers: Headers): Headers {
  const rest = new Headers(headers)
  for (const name of credentials) rest.delete(name)
  return rest
}

const redirects = new Set([301, 302, 303, 307, 308])
const credentials = ['authorization', 'proxy-authorization', 'cookie', 'dpop']
