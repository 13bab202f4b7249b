import { declarationsOf, mayRunAtOnce } from '../bridge/declaration.ts'
import { flatten } from '../bridge/flatten.ts'
import type { ExecuteOptions, ToolCall, ToolDeclaration, ToolResult } from '../bridge/provider.ts'
import type { ReadyCall } from '../bridge/read-call.ts'
import { refusedBatch } from '../bridge/refuse-batch.ts'
import { runBatch } from '../bridge/run-batch.ts'
import type { ToolOutcome } from '../bridge/tool-result.ts'
import { CancelledError, ConfigError, ProtocolError } from '../errors.ts'
import type { JsonObject, JsonRpcErrorObject } from '../protocol/json-rpc.ts'
import { isReservedMetaKey, MetaKey } from '../protocol/meta.ts'
import { readProgress } from '../protocol/progress.ts'
import { readResult } from '../protocol/results.ts'
import { modernVersions } from '../protocol/versions.ts'
import { thrownMessage } from '../thrown-message.ts'
import { packageVersion } from '../version.ts'
import { Cancellation } from './dispatch/cancellation.ts'
import type { Dispatcher } from './dispatch/dispatcher.ts'
import type { Served } from './dispatch/served.ts'

/** A server's tools as a model has them, without a wire: what is answered is what a client in front of it would answer. */
export class ModelFace {
  readonly #served: Served
  readonly #dispatcher: Dispatcher
  readonly #toolConcurrency: number | undefined

  constructor(served: Served, dispatcher: Dispatcher, toolConcurrency: number | undefined) {
    // Spoken with ourselves, whatever versions others are offered.
    this.#served = served
    this.#dispatcher = dispatcher
    this.#toolConcurrency = toolConcurrency
  }

  async declarations(): Promise<readonly ToolDeclaration[]> {
    return declarationsOf(this.#served.offer.tools.entries.map(({ item }) => item.listed))
  }

  async execute(calls: readonly ToolCall[], options: ExecuteOptions): Promise<readonly ToolResult[]> {
    const refused = refusedBatch(calls, options)
    if (refused) return refused
    return runBatch(calls, {
      toolConcurrency: this.#toolConcurrency,
      signal: options.signal,
      isParallel: (tool) => mayRunAtOnce(this.#served.offer.tools.get(tool)?.listed.annotations),
      execute: (call) => this.#run(call, options),
    })
  }

  async #run(call: ReadyCall, { signal, onProgress }: ExecuteOptions): Promise<ToolOutcome> {
    const params = paramsOf(call, onProgress !== undefined)
    const cancellation = new Cancellation()
    const notify = (method: string, sent: JsonObject) => {
      const progress = method === 'notifications/progress' ? readProgress(sent) : undefined
      if (progress && !cancellation.isAborted) onProgress?.({ toolCallId: call.id, ...progress.report })
    }
    const answered = this.#dispatcher.modern(
      { id: 1, method: 'tools/call', params },
      { cancellation, notify, onStop: () => {} },
    )
    const { text } = signal ? await orCancelled(answered, signal, cancellation) : await answered
    return outcomeOf(JSON.parse(text) as Answer)
  }
}

/** Through JSON, as on a wire: a handler neither sees nor changes what its caller holds. @throws ConfigError */
function paramsOf({ name, arguments: args, meta }: ReadyCall, wantsProgress: boolean): JsonObject {
  const reserved = Object.keys(meta ?? {}).find(isReservedMetaKey)
  if (reserved) throw new ConfigError({ path: ['meta', reserved], reason: 'is the protocol’s own key' })
  return {
    name,
    arguments: copied('arguments', args),
    _meta: {
      ...copied('meta', meta ?? {}),
      ...(wantsProgress && { progressToken: 1 }),
      [MetaKey.protocolVersion]: modernVersions[0],
      [MetaKey.clientInfo]: { name: 'mcp-troupe', version: packageVersion },
      [MetaKey.clientCapabilities]: {},
    },
  }
}

function copied(option: string, value: JsonObject): JsonObject {
  try {
    return JSON.parse(JSON.stringify(value)) as JsonObject
  } catch (cause) {
    const reason = `cannot be written as JSON: ${thrownMessage(cause)}`
    throw new ConfigError({ path: [option], reason }, { cause })
  }
}

function orCancelled<Value>(
  answered: Promise<Value>,
  signal: AbortSignal,
  cancellation: Cancellation,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      cancellation.abort(signal.reason)
      reject(new CancelledError({ method: 'tools/call' }))
    }
    signal.addEventListener('abort', abort, { once: true })
    void answered.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

type Answer = { readonly result: JsonObject } | { readonly error: JsonRpcErrorObject }

function outcomeOf(answer: Answer): ToolOutcome {
  if ('error' in answer) throw new ProtocolError(answer.error)
  const reading = readResult(answer.result, 'modern')
  return flatten(reading.kind === 'complete' ? reading.result : answer.result, undefined)
}
