import { HttpError, type McpError } from '../../errors.ts'
import { isObject, type RequestId } from '../../protocol/json-rpc.ts'
import { contentType } from './content-type.ts'
import { explainStatus, isRefusal, type Refusal } from './explain-status.ts'
import { describePath, withoutSecrets } from './hide-secrets.ts'
import { isResponse, type Message, parseMessage } from './parse-message.ts'

/** What a whole response to a POST means. */
export type Verdict =
  | { readonly kind: 'message'; readonly message: Message; readonly text: string }
  /** Taken, and no answer is due here. */
  | { readonly kind: 'accepted' }
  | { readonly kind: 'failed'; readonly failure: McpError; readonly wasRefused: boolean }
  /** The session it was sent in is gone. */
  | { readonly kind: 'sessionLost'; readonly failure: McpError }

export interface PostFacts {
  /** Of the request; undefined for what gets no answer. */
  readonly id: RequestId | undefined
  readonly hadSession: boolean
  /** Whether answers come on another stream. */
  readonly isAnsweredElsewhere: boolean
  readonly address: string
  readonly path: string
}

export function judgeResponse(response: Refusal, facts: PostFacts): Verdict {
  const { status, text } = response
  const message = parseMessage(text)
  const { id } = facts
  if (status >= 200 && status < 300) {
    if (isJsonRpc(message)) return correlated(message, text, id)
    if (id === undefined || facts.isAnsweredElsewhere) return { kind: 'accepted' }
    return { kind: 'failed', failure: noAnswer(response, facts), wasRefused: false }
  }
  const failure = explainStatus(response, facts.address, facts.path)
  if (status === 401 || status === 403) return { kind: 'failed', failure, wasRefused: true }
  if (status === 404 && facts.hadSession && !isMethodNotFound(message))
    return { kind: 'sessionLost', failure }
  if (id !== undefined && isJsonRpc(message)) return correlated(message, text, id)
  return { kind: 'failed', failure, wasRefused: isRefusal(status) }
}

function isJsonRpc(message: unknown): message is Message {
  return Array.isArray(message) ? message.some(isMessage) : isMessage(message)
}

function isMessage(value: unknown): boolean {
  return isObject(value) && value.jsonrpc === '2.0'
}

function isMethodNotFound(message: unknown): boolean {
  return isObject(message) && isObject(message.error) && message.error.code === -32601
}

/** A server that could not read the id leaves it out; what it answers is plain from the exchange. */
function correlated(message: Message, text: string, id: RequestId | undefined): Verdict {
  if (id === undefined || !isResponse(message) || (message.id !== undefined && message.id !== null))
    return { kind: 'message', message, text }
  const whole = { ...message, id }
  return { kind: 'message', message: whole, text: JSON.stringify(whole) }
}

function noAnswer({ status, headers, text }: Refusal, { address, path }: PostFacts): McpError {
  const encoding = headers['content-encoding']
  const what =
    (contentType(headers) || 'something') + (encoding ? ` in ${encoding}, which was not asked for,` : '')
  const reason =
    text.trim() === ''
      ? `${address} took the request (${status}) but sent no answer`
      : `${address} answered ${describePath(path)} with ${what} that is no JSON-RPC (${status}); check the URL`
  return new HttpError({ status, bodyTail: withoutSecrets(text, path).slice(-1000), reason })
}
