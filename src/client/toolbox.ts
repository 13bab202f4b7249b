import { declarationOf, mayRunAtOnce } from '../bridge/declaration.ts'
import type { ExecuteOptions, ToolCall, ToolDeclaration, ToolResult } from '../bridge/provider.ts'
import { publishedTools } from '../bridge/published-tools.ts'
import type { ReadyCall } from '../bridge/read-call.ts'
import { refusedBatch } from '../bridge/refuse-batch.ts'
import { runBatch } from '../bridge/run-batch.ts'
import { isPublishable, mayBeHashed } from '../bridge/tool-names.ts'
import { failed, notMade, type ToolOutcome } from '../bridge/tool-result.ts'
import { unknownToolText } from '../bridge/unknown-tool-text.ts'
import type { Progress } from '../protocol/progress.ts'
import type { Tool, ToolAnnotations } from '../protocol/tools.ts'
import type { ListOptions } from './call-options.ts'
import type { ClientEvents } from './events.ts'
import type { ClientOptions } from './options.ts'
import type { Requests } from './requests.ts'

type ToolboxOptions = Pick<ClientOptions, 'toolConcurrency' | 'onProgress'>
/** By the names a model knows them by. */
type Tools = ReadonlyMap<string, Tool>

/** One server's tools, as a model has them. */
export class Toolbox {
  readonly #requests: Requests
  readonly #events: ClientEvents
  readonly #options: ToolboxOptions
  /** As they were listed last; out of date once the epoch is another. */
  #listed: { readonly tools: readonly Tool[]; readonly epoch: number } | undefined
  #published: { readonly of: readonly Tool[]; readonly tools: Tools } | undefined
  #watching: Promise<void> | undefined

  constructor(requests: Requests, events: ClientEvents, options: ToolboxOptions) {
    this.#requests = requests
    this.#events = events
    this.#options = options
  }

  async list(options: ListOptions = {}): Promise<readonly Tool[]> {
    const epoch = this.#events.toolsEpoch
    const tools = await this.#requests.list<Tool>('tools/list', options)
    this.#listed = { tools, epoch }
    return tools
  }

  async declarations(): Promise<readonly ToolDeclaration[]> {
    await this.list()
    return [...this.#known].map(([name, tool]) => declarationOf(tool, name))
  }

  /** Undefined when there is no such tool. `name` is its own, or the one a model knows it by. */
  async annotations(name: string): Promise<ToolAnnotations | undefined> {
    const tools = await this.list()
    const tool = this.#known.get(name) ?? tools.find((listed) => listed.name === name)
    return tool && (tool.annotations ?? {})
  }

  async execute(calls: readonly ToolCall[], options: ExecuteOptions): Promise<readonly ToolResult[]> {
    const refused = refusedBatch(calls, options)
    if (refused) return refused
    const { signal } = options
    let known: Promise<Tools> | undefined
    return runBatch(calls, {
      toolConcurrency: this.#options.toolConcurrency,
      signal,
      isParallel: async (tool) => {
        known ??= this.#current(signal)
        return mayRunAtOnce((await known).get(tool)?.annotations)
      },
      execute: (call) => this.#execute(call, options),
    })
  }

  /** A modern server tells only whom subscribed that its tools changed. The notes themselves are told by the connection. */
  watch(): void {
    this.#watching ??= this.#watch().catch((failure) => {
      if (!this.#requests.failure) this.#events.warning(`changes of the tools go unnoticed: ${failure}`)
    })
  }

  async #watch(): Promise<void> {
    const { era, capabilities } = await this.#requests.known()
    if (era !== 'modern' || !capabilities.tools?.listChanged) return
    const subscription = await this.#requests.listen({ toolsListChanged: true })
    for await (const _note of subscription);
    throw new Error('the server ended the subscription')
  }

  /** As they were listed last, however long ago. */
  get #known(): Tools {
    const { tools } = this.#listed ?? { tools: none }
    if (this.#published?.of !== tools) this.#published = { of: tools, tools: publishedTools(tools) }
    return this.#published.tools
  }

  async #current(signal: AbortSignal | undefined): Promise<Tools> {
    if (this.#listed?.epoch !== this.#events.toolsEpoch) await this.list({ signal })
    return this.#known
  }

  /** A call by the name a model knows the tool by. What it cannot know, it cannot call: rules are written for those names. */
  async #execute(call: ReadyCall, options: ExecuteOptions): Promise<ToolOutcome> {
    const { failure } = this.#requests
    if (failure) return notMade(failure)
    const { name } = call
    const isOdd = !isPublishable(name)
    const mayBeMissing = !this.#known.has(name) && (isOdd || mayBeHashed(name))
    const tools = mayBeMissing ? await this.#current(options.signal) : this.#known
    const tool = tools.get(name)
    if (!tool && isOdd) return failed(unknownToolText(name, [...tools.keys()]))
    return this.run(tool ? { ...call, name: tool.name } : call, options)
  }

  /** One call by the tool's own name. @throws what `callTool` throws */
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

const none: readonly Tool[] = []
