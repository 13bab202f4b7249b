import type {
  ChildEvent,
  ExecuteOptions,
  Provider,
  ToolCall,
  ToolResult,
} from '../../../src/bridge/provider.ts'

/** Two tools for files and one that runs things; keeps what reached it. */
export class RecordingProvider implements Provider {
  readonly batches: { readonly calls: readonly ToolCall[]; readonly options: ExecuteOptions }[] = []
  readonly #listeners = new Set<(event: ChildEvent) => void>()

  async toolsForLlm() {
    return ['fs_read', 'fs_write', 'sh_run'].map((name) => ({
      type: 'function' as const,
      function: { name, description: '', parameters: { type: 'object' } },
    }))
  }

  async executeToolCalls(
    calls: readonly ToolCall[],
    options: ExecuteOptions = {},
  ): Promise<readonly ToolResult[]> {
    this.batches.push({ calls, options })
    return calls.map(({ id, function: { name } }) => ({
      role: 'tool',
      tool_call_id: id,
      content: `${name} ran`,
      is_error: false,
    }))
  }

  on: Provider['on'] = (event, listener) => {
    if (event !== 'child') return () => {}
    const hear = listener as (event: ChildEvent) => void
    this.#listeners.add(hear)
    return () => this.#listeners.delete(hear)
  }

  get listeners(): number {
    return this.#listeners.size
  }

  tell(event: Partial<ChildEvent>): void {
    const whole: ChildEvent = { path: ['fs'], state: 'backingOff', generation: 1, tools: [], ...event }
    for (const listener of this.#listeners) listener(whole)
  }
}

let calls = 0

export function call(name: string, args: object | string = {}): ToolCall {
  calls += 1
  return { id: `call-${calls}`, function: { name, arguments: args as ToolCall['function']['arguments'] } }
}
