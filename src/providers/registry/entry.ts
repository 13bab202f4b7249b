import { mayRunAtOnce } from '../../bridge/declaration.ts'
import type {
  ExecuteOptions,
  Provider,
  ToolCall,
  ToolDeclaration,
  ToolResult,
} from '../../bridge/provider.ts'
import { failed, toolResult } from '../../bridge/tool-result.ts'
import type { Clock } from '../../clock.ts'
import { type ErrorData, toErrorData } from '../../error-data.ts'
import { CancelledError, ProviderFailedError } from '../../errors.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import type { ToolAnnotations } from '../../protocol/tools.ts'
import { isPublished, type ToolFilter } from './tool-filter.ts'
import { untilGivenUp } from './until-given-up.ts'

export interface EntryParts {
  readonly prefix: string
  readonly provider: Provider
  readonly filter: ToolFilter
  readonly warn: (message: string) => void
  readonly clock: Clock
}

/** One provider under its prefix: trusted with nothing, so that what it does wrong harms only its own calls. */
export class Entry {
  readonly prefix: string
  readonly provider: Provider
  readonly #filter: ToolFilter
  readonly #warn: (message: string) => void
  readonly #clock: Clock
  #known: readonly ToolDeclaration[] | undefined
  /** Of the tools as they were listed last: a provider may change what it handed out. */
  #listed: readonly unknown[] = []
  #calls = 0
  #failure: ErrorData | undefined

  constructor({ prefix, provider, filter, warn, clock }: EntryParts) {
    this.prefix = prefix
    this.provider = provider
    this.#filter = filter
    this.#warn = warn
    this.#clock = clock
  }

  /** Calls handed to it so far. */
  get calls(): number {
    return this.#calls
  }

  /** What it threw or answered wrongly last. */
  get failure(): ErrorData | undefined {
    return this.#failure
  }

  /** It would not tell of a change. */
  get isSilent(): boolean {
    return this.provider.on === undefined
  }

  /** The tools to publish, by its own names; the last known ones when they cannot be listed now. @throws ProviderFailedError */
  async list(): Promise<readonly ToolDeclaration[]> {
    try {
      return this.#read(await this.provider.toolsForLlm())
    } catch (cause) {
      const failure = this.#failed('cannot list its tools', cause)
      if (!this.#known) throw failure
      this.#warn(`${failure.message}; those it had stay published`)
      return this.#known
    }
  }

  /** Never rejects, and waits no longer than a second for what a cancelled batch comes to. */
  async execute(calls: readonly ToolCall[], options: ExecuteOptions): Promise<readonly ToolResult[]> {
    this.#calls += calls.length
    // A provider may take its list of calls to pieces.
    const ids = calls.map(({ id }) => id)
    try {
      const work = Promise.resolve(this.provider.executeToolCalls(calls, options))
      const results: unknown = await untilGivenUp(work, options.signal, this.#clock)
      if (results === undefined && options.signal?.aborted) return this.#giveUp(ids, options.signal)
      if (Array.isArray(results) && results.length === ids.length)
        return ids.map((id, index) => this.#checked(id, results[index]))
      return this.#failAll(ids, 'did not answer each call once', undefined)
    } catch (cause) {
      return this.#failAll(ids, 'failed', cause)
    }
  }

  /** What the provider says of a tool of its, where it says anything. */
  async annotations(name: string): Promise<ToolAnnotations | undefined> {
    const { provider } = this
    if (!('toolAnnotations' in provider) || typeof provider.toolAnnotations !== 'function') return undefined
    try {
      const said: unknown = await provider.toolAnnotations(name)
      return isObject(said) ? said : undefined
    } catch {
      return undefined
    }
  }

  async mayRunAtOnce(name: string): Promise<boolean> {
    return mayRunAtOnce(await this.annotations(name))
  }

  #read(listed: unknown): readonly ToolDeclaration[] {
    if (!Array.isArray(listed)) throw new TypeError('what it lists is no array of tools')
    const tools = listed.filter(isDeclaration)
    if (tools.length === 0 && listed.length > 0) throw new TypeError('nothing that it lists is a tool')
    const parts = tools.flatMap(partsOf)
    if (this.#known && isSame(parts, this.#listed)) return this.#known
    const unusable = listed.length - tools.length
    if (unusable > 0)
      this.#warn(
        `${this.prefix} lists ${unusable} of ${listed.length} tools without a name; they are left out`,
      )
    const byName = new Map<string, ToolDeclaration>()
    for (const tool of tools) {
      const { name } = tool.function
      if (byName.has(name)) this.#warn(`${this.prefix} lists the tool ${name} twice; the first is published`)
      else if (isPublished(this.#filter, name)) byName.set(name, tool)
    }
    this.#listed = parts
    this.#known = [...byName.values()]
    return this.#known
  }

  #checked(id: string, result: unknown): ToolResult {
    if (isResult(result) && result.tool_call_id === id)
      return result.role === 'tool' ? result : { ...result, role: 'tool' }
    const failure = this.#failed('answered with something that is no result of the call', undefined)
    return toolResult(id, failed(failure))
  }

  #giveUp(ids: readonly string[], { reason: cause }: AbortSignal): readonly ToolResult[] {
    this.#warn(`${this.prefix} goes on with calls that were cancelled; what comes of them is not waited for`)
    const cancelled = new CancelledError({ method: 'tools/call' }, { cause })
    return ids.map((id) => toolResult(id, failed(cancelled)))
  }

  #failAll(ids: readonly string[], what: string, cause: unknown): readonly ToolResult[] {
    const failure = this.#failed(what, cause)
    return ids.map((id) => toolResult(id, failed(failure)))
  }

  #failed(what: string, cause: unknown): ProviderFailedError {
    this.#failure = toErrorData(cause ?? what)
    return new ProviderFailedError({ provider: this.prefix, what }, { cause })
  }
}

function isDeclaration(tool: unknown): tool is ToolDeclaration {
  return (
    isObject(tool) &&
    isObject(tool.function) &&
    typeof tool.function.name === 'string' &&
    tool.function.name !== ''
  )
}

/** What is published of a tool, and what it is published from. */
function partsOf(tool: ToolDeclaration): readonly unknown[] {
  const { name, description, parameters } = tool.function
  return [tool, name, description, parameters]
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index])
}

function isResult(result: unknown): result is ToolResult {
  return isObject(result) && typeof result.content === 'string' && typeof result.is_error === 'boolean'
}
