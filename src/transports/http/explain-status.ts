import { AuthorizationError, HttpError, type McpError } from '../../errors.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import { describePath, withoutSecrets } from './hide-secrets.ts'
import { parseMessage, sampleOf } from './parse-message.ts'
import type { ResponseHeaders } from './wire.ts'

/** A response that is no answer. */
export interface Refusal {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly text: string
}

/** What such a response means and what to do about it. */
export function explainStatus({ status, headers, text }: Refusal, address: string, path: string): McpError {
  const shown = withoutSecrets(text, path)
  const said = messageIn(shown)
  const details = said === '' ? '' : `: ${said}`
  if (status === 401 || status === 403) {
    const challenge = [headers['www-authenticate']].flat().join(', ') || undefined
    const what =
      status === 401
        ? 'wants other credentials; sign in or fix headers'
        : 'forbids this with these credentials'
    return new AuthorizationError({ status, challenge, reason: `${address} ${what} (${status})${details}` })
  }
  const what = meanings[status] ?? outcome(status)
  const place = describePath(path)
  const reason = `${address} ${what.replace('<path>', () => place)} (${status})${details}`
  return new HttpError({ status, bodyTail: shown.slice(-tailLength), reason })
}

function outcome(status: number): string {
  if (status < 300) return 'answered with something else than an event stream'
  return status >= 500 ? 'failed' : 'refused the request'
}

/** Whether such a response says that certainly nothing was done: it was refused for what it is, not for what it asks. */
export function isRefusal(status: number): boolean {
  return refusals.has(status)
}

/** The message of a JSON-RPC error, or the `error` of OAuth and of many gateways. */
function messageIn(text: string): string {
  const body = parseMessage(text)
  if (!isObject(body)) return ''
  const error = isObject(body.error) ? body.error.message : (body.error_description ?? body.error)
  return typeof error === 'string' ? sampleOf(error) : ''
}

const tailLength = 1000
const refusals = new Set([401, 403, 404, 405, 406, 411, 413, 414, 415, 421, 426, 429, 431])
const meanings: { readonly [status: number]: string } = {
  400: 'did not understand the request',
  404: 'has nothing at <path>; check the URL',
  405: 'takes no messages at <path>; check the URL',
  406: 'offers neither JSON nor an event stream',
  408: 'gave up on the request',
  413: 'finds the message too large',
  415: 'does not want JSON',
  421: 'does not serve that name; check the URL',
  429: 'gets too many requests; try again later',
  431: 'finds the headers too large',
  502: 'has a gateway that gets no answer from the server',
  503: 'is not available at the moment; try again later',
  504: 'has a gateway that waited too long for the server',
}
