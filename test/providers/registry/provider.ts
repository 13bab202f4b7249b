import { onTestFinished } from 'vitest'
import {
  type ExecuteOptions,
  type Provider,
  type ProviderEventMap,
  Registry,
  type RegistryOptions,
  type ToolCall,
  type ToolDeclaration,
  type ToolResult,
} from '../../../src/index.ts'

/** A registry that is closed when the test ends, and what it warned of. */
export function registry(options: RegistryOptions = {}): Registry & { readonly warnings: readonly string[] } {
  const warnings: string[] = []
  const created = new Registry({ onWarn: (message) => warnings.push(message), ...options })
  onTestFinished(() => created.close())
  return Object.assign(created, { warnings })
}

/** A toolkit in this process: remembers what it was given, answers as it is told. */
export class Toolkit implements Provider {
  tools: readonly string[]
  /** Every batch it got. */
  readonly batches: (readonly ToolCall[])[] = []
  readonly options: (ExecuteOptions | undefined)[] = []
  readonly #listeners: { [Event in keyof ProviderEventMap]: Set<(value: ProviderEventMap[Event]) => void> } =
    {
      child: new Set(),
      catalogue: new Set(),
    }

  constructor(...tools: readonly string[]) {
    this.tools = tools
  }

  async toolsForLlm(): Promise<readonly ToolDeclaration[]> {
    return this.tools.map(declared)
  }

  async executeToolCalls(
    calls: readonly ToolCall[],
    options?: ExecuteOptions,
  ): Promise<readonly ToolResult[]> {
    this.batches.push(calls)
    this.options.push(options)
    return calls.map((call) => said(call, `${call.function.name} was run`))
  }

  on<Event extends keyof ProviderEventMap>(event: Event, listener: (value: ProviderEventMap[Event]) => void) {
    this.#listeners[event].add(listener)
    return () => void this.#listeners[event].delete(listener)
  }

  tell<Event extends keyof ProviderEventMap>(event: Event, value: ProviderEventMap[Event]): void {
    for (const listener of this.#listeners[event]) listener(value)
  }
}

/** A toolkit of `a` and `b` that does something otherwise. */
export function failing(what: Partial<Provider>): Provider {
  return Object.assign(new Toolkit('a', 'b'), what)
}

export function declared(name: string): ToolDeclaration {
  return { type: 'function', function: { name, description: `does ${name}`, parameters: { type: 'object' } } }
}

export function said({ id }: ToolCall, content: string): ToolResult {
  return { role: 'tool', tool_call_id: id, content, is_error: false }
}

let calls = 0

export function call(name: string, args: ToolCall['function']['arguments'] = {}): ToolCall {
  return { id: `call-${++calls}`, function: { name, arguments: args } }
}

export async function namesOf(provider: Provider): Promise<readonly string[]> {
  return (await provider.toolsForLlm()).map((tool) => tool.function.name)
}
