import { declarationsOf, mayRunAtOnce } from '../bridge/declaration.ts'
import { complaintAbout } from '../bridge/execute-options.ts'
import type { ExecuteOptions, ToolCall, ToolDeclaration, ToolResult } from '../bridge/provider.ts'
import type { ReadyCall } from '../bridge/read-call.ts'
import { runBatch } from '../bridge/run-batch.ts'
import type { ToolOutcome } from '../bridge/tool-result.ts'
import type { Progress } from '../protocol/progress.ts'
import type { Tool, ToolAnnotations } from '../protocol/tools.ts'
import type { ListOptions } from './call-options.ts'
import type { ClientEvents } from './events.ts'
import type { ClientOptions } from './options.ts'
import type { Requests } from './requests.ts'

type ToolboxOptions = Pick<ClientOptions, 'toolConcurrency' | 'onProgress'>
type Annotations = ReadonlyMap<string, ToolAnnotations | undefined>

/** One server's tools, as a model has them. */
export class Toolbox {
  readonly #requests: Requests
  readonly #events: ClientEvents
  readonly #options: ToolboxOptions
  /** As they were listed last; out of date once the epoch is another. */
  #listed: { readonly annotations: Annotations; readonly epoch: number } | undefined
  #watching: Promise<void> | undefined

  constructor(requests: Requests, events: ClientEvents, options: ToolboxOptions) {
    this.#requests = requests
    this.#events = events
    this.#options = options
  }

  async list(options: ListOptions = {}): Promise<readonly Tool[]> {
    const epoch = this.#events.toolsEpoch
    const tools = await this.#requests.list<Tool>('tools/list', options)
    const annotations = new Map(tools.map(({ name, annotations }) => [name, annotations]))
    this.#listed = { annotations, epoch }
    return tools
  }

  async declarations(): Promise<readonly ToolDeclaration[]> {
    return declarationsOf(await this.list())
  }

  execute(calls: readonly ToolCall[], options: ExecuteOptions): Promise<readonly ToolResult[]> {
    const complaint = complaintAbout(options)
    if (complaint)
      return runBatch(calls, { isParallel: () => false, execute: () => Promise.reject(complaint) })
    const { signal } = options
    let known: Promise<Annotations> | undefined
    return runBatch(calls, {
      toolConcurrency: this.#options.toolConcurrency,
      signal,
      isParallel: async (tool) => {
        known ??= this.#annotations(signal)
        return mayRunAtOnce((await known).get(tool))
      },
      execute: (call) => this.run(call, options),
    })
  }

  /** A modern server tells only whom subscribed that its tools changed. The notes themselves are told by the connection. */
  watch(): void {
    this.#watching ??= this.#watch().catch((failure) => {
      if (!this.#requests.isOver) this.#events.warning(`changes of the tools go unnoticed: ${failure}`)
    })
  }

  async #watch(): Promise<void> {
    const { era, capabilities } = await this.#requests.known()
    if (era !== 'modern' || !capabilities.tools?.listChanged) return
    const subscription = await this.#requests.listen({ toolsListChanged: true })
    for await (const _note of subscription);
    throw new Error('the server ended the subscription')
  }

  async #annotations(signal: AbortSignal | undefined): Promise<Annotations> {
    if (this.#listed?.epoch !== this.#events.toolsEpoch) await this.list({ signal })
    return this.#listed?.annotations ?? new Map()
  }

  /** One call. @throws what `callTool` throws */
  run(call: ReadyCall, { signal, claim, onProgress }: ExecuteOptions): Promise<ToolOutcome> {
    const { id, name, arguments: args, meta } = call
    const listeners = [this.#options.onProgress, onProgress].filter((listener) => listener !== undefined)
    const report = (progress: Progress) => {
      for (const listener of listeners)
        this.#events.tell('onProgress', listener, { toolCallId: id, ...progress })
    }
    return this.#requests.call(
      'tools/call',
      name,
      args,
      { signal, meta, ...(listeners.length > 0 && { onProgress: report }) },
      { as: 'text', toolCallId: id, ...(claim !== undefined && { claim }) },
    )
  }
}
