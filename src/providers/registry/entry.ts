import { mayRunAtOnce } from '../../bridge/declaration.ts'
import type {
  ExecuteOptions,
  Provider,
  ToolCall,
  ToolDeclaration,
  ToolResult,
} from '../../bridge/provider.ts'
import { failed, toolResult } from '../../bridge/tool-result.ts'
import { type ErrorData, toErrorData } from '../../error-data.ts'
import { ProviderFailedError } from '../../errors.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import type { ToolAnnotations } from '../../protocol/tools.ts'
import { isPublished, type ToolFilter } from './tool-filter.ts'

export interface EntryParts {
  readonly prefix: string
  readonly provider: Provider
  readonly filter: ToolFilter
  readonly warn: (message: string) => void
}

/** One provider under its prefix: trusted with nothing, so that what it does wrong harms only its own calls. */
export class Entry {
  readonly prefix: string
  readonly provider: Provider
  readonly #filter: ToolFilter
  readonly #warn: (message: string) => void
  #known: readonly ToolDeclaration[] | undefined
  #listed: unknown
  #calls = 0
  #failure: ErrorData | undefined

  constructor({ prefix, provider, filter, warn }: EntryParts) {
    this.prefix = prefix
    this.provider = provider
    this.#filter = filter
    this.#warn = warn
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

  /** Never rejects. */
  async execute(calls: readonly ToolCall[], options: ExecuteOptions): Promise<readonly ToolResult[]> {
    this.#calls += calls.length
    try {
      const results: unknown = await this.provider.executeToolCalls(calls, options)
      if (Array.isArray(results) && results.length === calls.length)
        return calls.map((call, index) => this.#checked(call, results[index]))
      return this.#failAll(calls, 'did not answer each call once', undefined)
    } catch (cause) {
      return this.#failAll(calls, 'failed', cause)
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
    if (listed === this.#listed && this.#known) return this.#known
    if (!Array.isArray(listed) || !listed.every(isDeclaration))
      throw new TypeError('what it lists is no array of tools')
    const byName = new Map<string, ToolDeclaration>()
    for (const tool of listed) {
      const { name } = tool.function
      if (byName.has(name)) this.#warn(`${this.prefix} lists the tool ${name} twice; the first is published`)
      else if (isPublished(this.#filter, name)) byName.set(name, tool)
    }
    this.#listed = listed
    this.#known = [...byName.values()]
    return this.#known
  }

  #checked(call: ToolCall, result: unknown): ToolResult {
    if (isResult(result) && result.tool_call_id === call.id) return result
    const failure = this.#failed('answered with something that is no result of the call', undefined)
    return toolResult(call.id, failed(failure))
  }

  #failAll(calls: readonly ToolCall[], what: string, cause: unknown): readonly ToolResult[] {
    const failure = this.#failed(what, cause)
    return calls.map(({ id }) => toolResult(id, failed(failure)))
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

function isResult(result: unknown): result is ToolResult {
  return isObject(result) && typeof result.content === 'string' && typeof result.is_error === 'boolean'
}
