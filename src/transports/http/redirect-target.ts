import { HttpError } from '../../errors.ts'
import type { Endpoint } from './endpoint.ts'
import { describePath } from './hide-secrets.ts'

/**
 * The path a redirect leads to. Only one that keeps the method, and only within the origin: what is sent holds credentials.
 * Everything else is an HttpError that says what to change.
 */
export function redirectTarget(
  status: number,
  location: string | string[] | undefined,
  { origin, address, socketPath }: Endpoint,
  from: string,
): string | HttpError {
  const refuse = (what: string): HttpError =>
    new HttpError({ status, reason: `${address} redirects (${status}) ${what}` })
  if (typeof location !== 'string' || !URL.canParse(location, origin + from))
    return refuse('without saying where to')
  const target = new URL(location, origin + from)
  const shown = target.origin === 'null' ? target.protocol : target.origin
  if (target.origin !== origin) {
    const remedy = socketPath === undefined ? '; if that is right, put its address into url' : ''
    return refuse(`to ${shown}, which is not followed: what is sent may hold credentials${remedy}`)
  }
  if (status !== 307 && status !== 308)
    return refuse(
      `to ${describePath(target.pathname)} in a way that loses the message; put that path into url`,
    )
  return target.pathname + target.search
}
