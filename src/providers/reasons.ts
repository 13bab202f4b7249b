import type { ExecuteOptions, Provider, ToolCall, ToolDeclaration, ToolResult } from '../bridge/provider.ts'
import { readCall } from '../bridge/read-call.ts'
import { badOption, checkOptions } from '../check-options.ts'
import { isObject, type JsonObject } from '../protocol/json-rpc.ts'
import { provider } from './provider-option.ts'

export interface ReasonsOptions {
  /** Whose tools they are. */
  readonly provider: Provider
}

/** The argument in which a model says why it makes a call. It is a claim: shown to people, never judged by machines. */
export const reasonParam = 'reason'

const reason: JsonObject = {
  type: 'string',
  description: 'Why you make this call, in one short sentence for the person who reads along.',
}

/**
 * Lets a model say why: every tool gets an optional `reason`, which is taken out again before the call goes down. Put it right
 * under the policy, so that whoever is asked sees it. A tool that has a `reason` of its own is left alone.
 */
export class Reasons implements Provider {
  /** Listens to what is below; there where that can be listened to. */
  readonly on?: NonNullable<Provider['on']>
  readonly #inner: Provider
  /** The tools that were given a reason when they were listed last. */
  #given: Promise<ReadonlySet<string>> | undefined

  /** @throws ConfigError */
  constructor(options: ReasonsOptions) {
    checkOptions(options, { provider })
    if (options.provider === undefined) throw badOption('provider', 'is missing')
    this.#inner = options.provider
    if (this.#inner.on) this.on = this.#inner.on.bind(this.#inner)
  }

  /** What is below, with reasons. Throws when it cannot be listed. */
  async toolsForLlm(): Promise<readonly ToolDeclaration[]> {
    const tools = await this.#inner.toolsForLlm()
    const open = tools.filter((tool) => isOpen(tool.function.parameters))
    this.#given = Promise.resolve(new Set(open.map((tool) => tool.function.name)))
    return tools.map((tool) => (open.includes(tool) ? withReason(tool) : tool))
  }

  /** The same calls without the reasons this layer asked for. Never throws. */
  async executeToolCalls(
    calls: readonly ToolCall[],
    options?: ExecuteOptions,
  ): Promise<readonly ToolResult[]> {
    if (!Array.isArray(calls) || !calls.some(saysWhy)) return this.#inner.executeToolCalls(calls, options)
    const given = await this.#known()
    const stripped = calls.map((call) =>
      saysWhy(call) && given.has(call.function.name) ? withoutReason(call) : call,
    )
    return this.#inner.executeToolCalls(stripped, options)
  }

  /** A resumed session makes calls before it lists anything. What cannot be listed now was given no reason. */
  async #known(): Promise<ReadonlySet<string>> {
    this.#given ??= this.toolsForLlm().then(
      () => this.#given ?? new Set<string>(),
      () => {
        this.#given = undefined
        return new Set<string>()
      },
    )
    return this.#given
  }
}

function withReason(tool: ToolDeclaration): ToolDeclaration {
  const { parameters } = tool.function
  const properties = isObject(parameters.properties) ? parameters.properties : {}
  return {
    ...tool,
    function: {
      ...tool.function,
      parameters: { ...parameters, properties: { ...properties, [reasonParam]: reason } },
    },
  }
}

function saysWhy(call: unknown): boolean {
  const reading = readCall(call)
  return reading.kind === 'ready' && Object.hasOwn(reading.call.arguments, reasonParam)
}

function withoutReason(call: ToolCall): ToolCall {
  const reading = readCall(call)
  if (reading.kind === 'malformed') return call
  const { [reasonParam]: _, ...args } = reading.call.arguments
  return { ...call, function: { ...call.function, arguments: args } }
}

/** Whether a tool certainly has no reason of its own: nothing in its schema that describes the arguments may speak of one. */
function isOpen(schema: JsonObject, depth = 0): boolean {
  if (depth > 8 || '$ref' in schema || '$dynamicRef' in schema) return false
  const { properties, required } = schema
  if (isObject(properties) && Object.hasOwn(properties, reasonParam)) return false
  if (Array.isArray(required) && required.includes(reasonParam)) return false
  return [...inPlace.flatMap((keyword) => schema[keyword] ?? []), ...dependents(schema)]
    .filter(isObject)
    .every((part) => isOpen(part, depth + 1))
}

/** The keywords whose schemas describe the same object. */
const inPlace = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not']

function dependents({ dependentSchemas }: JsonObject): readonly unknown[] {
  return isObject(dependentSchemas) ? Object.values(dependentSchemas) : []
}
