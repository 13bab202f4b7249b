import { isLoopback } from '../../loopback.ts'
import type { HttpEndpointOptions } from './http-options.ts'

export { isLoopback }

/** Who may ask, before anything is read: a page the user happens to have open must not reach a server on loopback. */
export type Admission = Pick<HttpEndpointOptions, 'allowedOrigins' | 'allowNoOrigin' | 'allowedHosts'>

/** Why a request is refused, or undefined. */
export function refusalOf(
  origin: string | undefined,
  host: string | undefined,
  { allowedOrigins = [], allowNoOrigin = true, allowedHosts }: Admission,
): string | undefined {
  if (origin === undefined) {
    if (!allowNoOrigin) return 'Requests without an Origin are not taken'
  } else if (!isLoopback(hostOf(origin)) && !allowedOrigins.some((allowed) => fits(allowed, origin)))
    return `The origin ${origin.slice(0, 200)} is not allowed`
  if (allowedHosts === undefined) return undefined
  const name = hostOf(`http://${host}`)
  return isLoopback(name) || (name !== undefined && allowedHosts.includes(name))
    ? undefined
    : `This server is not called ${JSON.stringify(host ?? '').slice(0, 200)}`
}

/** Of a URL that is a scheme and a host, and nothing else. */
function hostOf(url: string): string | undefined {
  if (!/^https?:\/\/[^/\\?#@\s]+$/.test(url) || !URL.canParse(url)) return undefined
  return new URL(url).hostname
}

function fits(allowed: string | RegExp, origin: string): boolean {
  return typeof allowed === 'string'
    ? allowed === origin
    : new RegExp(allowed.source, allowed.flags.replace(/[gy]/g, '')).test(origin)
}
