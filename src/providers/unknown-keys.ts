import type { ExecuteOptions, Provider, ToolCall, ToolDeclaration, ToolResult } from '../bridge/provider.ts'
import { readCall } from '../bridge/read-call.ts'
import { badOption, checkOptions, hook } from '../check-options.ts'
import { declaredArguments } from './declared-arguments.ts'
import { provider } from './provider-option.ts'
import { reasonParam } from './reasons.ts'

export interface UnknownKeysOptions {
  /** Whose tools they are. */
  readonly provider: Provider
  /** Called once for every tool and argument that it never declared. */
  readonly onWarn: (warning: UnknownKeysWarning) => void
}

export interface UnknownKeysWarning {
  readonly tool: string
  /** The call's. */
  readonly id: string
  readonly unknownKeys: readonly string[]
  readonly declaredKeys: readonly string[]
  /** All of it in one sentence. */
  readonly message: string
}

/** Arguments are a model's to invent: past so many nothing more is told. */
const mostWarnings = 10_000

/**
 * Tells of arguments that a tool never declared: a sign of a call that was mangled on its way. It changes and refuses nothing.
 * Its place is between the policy and the reasons.
 */
export class UnknownKeys implements Provider {
  /** Listens to what is below; there where that can be listened to. */
  readonly on?: NonNullable<Provider['on']>
  readonly #options: UnknownKeysOptions
  /** By tool; of those that declared any. */
  #declared = new Map<string, readonly string[]>()
  readonly #warned = new Set<string>()

  /** @throws ConfigError */
  constructor(options: UnknownKeysOptions) {
    checkOptions(options, { provider, onWarn: hook })
    for (const name of ['provider', 'onWarn'] as const)
      if (options[name] === undefined) throw badOption(name, 'is missing')
    this.#options = options
    const inner = options.provider
    if (inner.on) this.on = inner.on.bind(inner)
  }

  /** What is below, as it is. Throws when it cannot be listed. */
  async toolsForLlm(): Promise<readonly ToolDeclaration[]> {
    const tools = await this.#options.provider.toolsForLlm()
    this.#declared = new Map(
      tools.map((tool) => [tool.function.name, declaredArguments(tool.function.parameters)]),
    )
    return tools
  }

  /** The same calls, and their results as they come. */
  executeToolCalls(calls: readonly ToolCall[], options?: ExecuteOptions): Promise<readonly ToolResult[]> {
    if (Array.isArray(calls)) for (const call of calls) this.#look(call)
    return this.#options.provider.executeToolCalls(calls, options)
  }

  /** What cannot be read is for others to refuse. */
  #look(given: unknown): void {
    const reading = readCall(given)
    if (reading.kind === 'malformed') return
    const { id, name, arguments: args } = reading.call
    const declaredKeys = this.#declared.get(name) ?? []
    if (declaredKeys.every((key) => key === reasonParam)) return
    const unknownKeys = Object.keys(args).filter(
      (key) => key !== reasonParam && !declaredKeys.includes(key) && this.#isNews(name, key),
    )
    if (unknownKeys.length === 0) return
    const message = `${name} (${id}) was called with ${unknownKeys.join(', ')}, which it never declared; it declares ${declaredKeys.join(', ')}`
    try {
      this.#options.onWarn({ tool: name, id, unknownKeys, declaredKeys, message })
    } catch {
      // An alarm that fails stops nothing.
    }
  }

  #isNews(tool: string, key: string): boolean {
    const pair = JSON.stringify([tool, key])
    if (this.#warned.has(pair) || this.#warned.size >= mostWarnings) return false
    this.#warned.add(pair)
    return true
  }
}
