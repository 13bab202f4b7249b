import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export interface Request {
  readonly method?: string
  /** As it stands on the request line. */
  readonly url?: string
  readonly headers: IncomingHttpHeaders
}

export type Admission =
  /** `path` is what follows the token, as it was written. */
  | { readonly kind: 'admitted'; readonly path: string }
  | { readonly kind: 'moved'; readonly location: string }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }

/**
 * Whether a request may see anything. Only this machine can reach the port, but any page in any browser on it can try: the name it
 * was reached by must be ours (else a foreign name was made to point here), a page that asks must be our own, and the token shows
 * that whoever asks was given the address.
 */
export function admit({ method, url = '', headers }: Request, port: number, token: string): Admission {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  if (!headers.host || !hosts.includes(headers.host))
    return refused(403, `This is reached as ${hosts.join(' or ')} only`)
  const { origin } = headers
  if (origin !== undefined && origin !== `http://${headers.host}`)
    return refused(403, 'Other origins are not served')
  if (method !== 'GET' && method !== 'HEAD') return refused(405, 'Only GET and HEAD are served')
  const [, given = '', path] = /^\/([^/?#]*)(?:\/([^?#]*))?/.exec(url) ?? []
  if (!isSame(given, token)) return refused(403, 'The address needs its token: open it as it was printed')
  return path === undefined ? { kind: 'moved', location: `/${token}/` } : { kind: 'admitted', path }
}

/** Takes the same time wherever two texts differ, and however long they are. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function refused(status: number, reason: string): Admission {
  return { kind: 'refused', status, reason }
}
