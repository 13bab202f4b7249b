import { InvalidResultError, type McpError, MessageTooLargeError } from '../../src/errors.ts'
import {
  classify,
  type Inbound,
  isObject,
  type JsonObject,
  type RequestId,
} from '../../src/protocol/json-rpc.ts'
import { readProgress } from '../../src/protocol/progress.ts'
import { isWithin } from '../../src/protocol/resources.ts'
import type { Warnings } from '../../src/warnings.ts'
import type { Uplink } from '../frames.ts'
import type { Calls } from './calls.ts'
import type { Answer, Correlator } from './correlator.ts'
import type { ProgressTokens } from './progress-tokens.ts'
import type { Readiness } from './readiness.ts'
import type { ResultCache } from './result-cache.ts'
import type { ServerRequests } from './server-requests.ts'
import type { Subscriptions } from './subscriptions.ts'

export interface InboxParts {
  readonly correlator: Correlator
  readonly calls: Calls
  readonly tokens: ProgressTokens
  readonly cache: ResultCache
  readonly subscriptions: Subscriptions
  readonly serverRequests: ServerRequests
  readonly readiness: Readiness
  readonly warnings: Warnings
  readonly up: (frame: Uplink) => void
}

/** The one revision in which a unit may be an array of messages. */
const batchVersion = '2025-03-26'

const cachedLists: { readonly [method: string]: readonly string[] } = {
  'notifications/tools/list_changed': ['tools/list'],
  'notifications/prompts/list_changed': ['prompts/list'],
  'notifications/resources/list_changed': ['resources/list', 'resources/templates/list'],
}

/** Everything a server sends, classified and handed to whom it concerns. Nothing inbound is fatal. */
export class Inbox {
  readonly #parts: InboxParts

  constructor(parts: InboxParts) {
    this.#parts = parts
  }

  receive(message: JsonObject | readonly unknown[], size: number): void {
    if (isObject(message)) return this.#dispatch(classify(message), size)
    if (this.#parts.readiness.peer?.version !== batchVersion) {
      return this.#parts.warnings.warn(
        'a batch was dropped',
        `arrays of messages belong to ${batchVersion} only`,
      )
    }
    for (const one of message) if (isObject(one)) this.#dispatch(classify(one), size)
  }

  /** The exchange of one request failed on a wire that goes on. */
  failed(id: RequestId, failure: McpError, wasRefused: boolean): void {
    this.#settle(id, { kind: 'failure', failure, wasRefused })
  }

  oversize(id: RequestId | undefined, maxMessageBytes: number): void {
    const failure = new MessageTooLargeError({ maxMessageBytes })
    if (id === undefined || !this.#parts.correlator.settle(id, { kind: 'failure', failure })) {
      this.#parts.warnings.warn('a message was too large', failure.message)
    }
  }

  #dispatch(inbound: Inbound, size: number): void {
    switch (inbound.kind) {
      case 'result':
        return this.#settle(inbound.id, { kind: 'result', result: inbound.result, size })
      case 'error':
        return this.#settle(inbound.id ?? this.#parts.correlator.only(), {
          kind: 'error',
          error: inbound.error,
        })
      case 'notification':
        return this.#notify(inbound.method, inbound.params)
      case 'request':
        return this.#serve(inbound.id, inbound.method, inbound.params)
      case 'invalid': {
        const { id, isAnswer, reason } = inbound
        const failure = new InvalidResultError({ method: `request ${id}`, reason })
        const isOurs = isAnswer && id !== null
        if (!isOurs || !this.#parts.correlator.settle(id, { kind: 'failure', failure })) {
          this.#parts.warnings.warn('an invalid message was dropped', reason)
        }
      }
    }
  }

  #settle(id: RequestId | undefined, answer: Answer): void {
    if (id !== undefined && this.#parts.correlator.settle(id, answer)) return
    const method = id === undefined ? undefined : this.#parts.correlator.methodGivenUp(id)
    const late = method === undefined ? '' : `, which came too late for ${method}`
    this.#parts.warnings.warn(
      'an answer nobody waits for was dropped',
      id === undefined ? 'it has no id' : `id ${String(id).slice(0, 100)}${late}`,
    )
  }

  /** A modern server must not ask by request; before the handshake is done a legacy one may only ping. */
  #serve(id: RequestId, method: string, params: JsonObject): void {
    const { readiness, serverRequests, warnings } = this.#parts
    if (readiness.era === 'modern') return warnings.warn('a request of a modern server was dropped', method)
    const isReady = readiness.peer !== undefined
    if (!isReady && method !== 'ping')
      return warnings.warn('a request before the handshake was dropped', method.slice(0, 100))
    void serverRequests.serve(id, { method, params })
  }

  #notify(method: string, params: JsonObject): void {
    const { cache, readiness, serverRequests, subscriptions, up } = this.#parts
    if (method === 'notifications/progress') return this.#progress(params)
    if (method === 'notifications/cancelled') {
      if (readiness.era === 'modern') return subscriptions.cancelledByServer(params.requestId)
      return serverRequests.cancel(params.requestId)
    }
    const lists = Object.hasOwn(cachedLists, method) ? cachedLists[method] : undefined
    for (const list of lists ?? []) cache.drop(list)
    if (method === 'notifications/tools/list_changed') up({ kind: 'toolsChanged' })
    if (method === 'notifications/resources/updated')
      cache.drop('resources/read', (read) => concerns(read, params.uri))
    const notification = { method, params }
    subscriptions.deliver(notification)
    if (method !== 'notifications/subscriptions/acknowledged') up({ kind: 'notification', notification })
  }

  /** Also proof of life: it renews the call's time. */
  #progress(params: JsonObject): void {
    const { calls, tokens, up, warnings } = this.#parts
    const read = readProgress(params)
    const id = read && tokens.callOf(read.token)
    const call = id === undefined ? undefined : calls.get(id)
    if (!read || !call)
      return warnings.warn(
        'progress nobody waits for was dropped',
        read ? `token ${String(read.token).slice(0, 100)}` : 'it is malformed',
      )
    call.deadline.renew()
    up({ kind: 'progress', id: call.frame.id, report: read.report })
    const isCallersToken = call.frame.progress !== true
    if (isCallersToken)
      up({ kind: 'notification', notification: { method: 'notifications/progress', params } })
  }
}

/** Whether a kept read is of the updated resource, or of one it is part of. */
function concerns(readParams: string, updated: unknown): boolean {
  if (typeof updated !== 'string') return false
  const { uri } = JSON.parse(readParams) as { uri?: unknown }
  return typeof uri === 'string' && isWithin(updated, uri)
}
