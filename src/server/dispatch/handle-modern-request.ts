import { classify, isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { Cancellation } from './cancellation.ts'
import type { Dispatcher } from './dispatcher.ts'
import { invalidReply } from './reply.ts'

export interface ModernRequestOptions {
  /** Called with each notification that belongs to the request, before it is answered; default nobody. */
  readonly notify?: (notification: JsonObject) => void
  /** Aborts when whoever asked has walked away. */
  readonly signal?: AbortSignal
  /** Who asks, and what they may do, if that is known. */
  readonly principal?: string
  readonly scopes?: readonly string[]
}

/** One message of a wire where each request has its answer, and nothing is remembered between them. Never rejects. */
export async function handleModernRequest(
  dispatcher: Dispatcher,
  message: unknown,
  { notify, signal, ...identity }: ModernRequestOptions,
): Promise<JsonObject | undefined> {
  const inbound = isObject(message) ? classify(message) : undefined
  if (!inbound) return parsed(invalidReply(null, 'it is no object').text)
  if (inbound.kind === 'invalid') return parsed(invalidReply(inbound.id, inbound.reason).text)
  if (inbound.kind !== 'request') return undefined
  const cancellation = new Cancellation()
  const exchange = {
    cancellation,
    notify: (method: string, params: JsonObject) => notify?.({ jsonrpc: '2.0', method, params }),
    onStop: () => {},
    ...identity,
  }
  return new Promise((resolve) => {
    const abort = () => {
      cancellation.abort(signal?.reason)
      resolve(undefined)
    }
    if (signal?.aborted) return abort()
    signal?.addEventListener('abort', abort, { once: true })
    void dispatcher.modern(inbound, exchange).then(({ text }) => {
      signal?.removeEventListener('abort', abort)
      resolve(parsed(text))
    })
  })
}

function parsed(text: string): JsonObject {
  return JSON.parse(text) as JsonObject
}
