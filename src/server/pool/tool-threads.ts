import type { ToolPool } from '../../../workers/tool-pool.ts'
import type { Clock } from '../../clock.ts'
import type { ToolHandler } from '../registration/tool.ts'
import type { RequestContext } from '../request/request-context.ts'
import { callInThread } from './call-in-thread.ts'
import { readThreadOptions, type ThreadOptions } from './thread-options.ts'

type State =
  | { readonly kind: 'unused' }
  | { readonly kind: 'open'; readonly pool: Promise<ToolPool> }
  | { readonly kind: 'closed' }

/** The threads of one server's tools: a pool of their own, never the connections'. */
export class ToolThreads {
  readonly #options: Required<ThreadOptions>
  readonly #clock: Clock
  #state: State = { kind: 'unused' }
  #open = 0

  constructor(options: ThreadOptions, clock: Clock) {
    this.#options = readThreadOptions(options)
    this.#clock = clock
  }

  /** The handler of a tool whose own is in a module. */
  handler(tool: string, module: URL, timeoutMs: number | undefined): ToolHandler<never> {
    const file = new URL(module)
    file.hash = ''
    const exportName = decodeURIComponent(module.hash.slice(1)) || 'default'
    const { memoryMb } = this.#options
    const target = { tool, module: file.href, exportName, timeoutMs, memoryMb, clock: this.#clock }
    return (args, context) => this.#bounded((pool) => callInThread(pool, target, args, context), context)
  }

  /** Ends every thread. A call under way is over, and no other is taken. */
  async close(): Promise<void> {
    const state = this.#state
    this.#state = { kind: 'closed' }
    if (state.kind === 'open') await (await state.pool).close()
  }

  async #bounded<Value>(run: (pool: ToolPool) => Promise<Value>, { signal }: RequestContext): Promise<Value> {
    if (this.#open >= mostCalls) throw new Error(`${mostCalls} calls wait for a thread already`)
    this.#open += 1
    try {
      const pool = await this.#pool()
      signal.throwIfAborted()
      return await run(pool)
    } finally {
      this.#open -= 1
    }
  }

  async #pool(): Promise<ToolPool> {
    const state = this.#state
    // Why no thread could be started may be over.
    const isUsable = state.kind === 'open' && !(await state.pool).ended
    if (isUsable) return state.pool
    if (this.#state.kind === 'closed') throw new Error('The server is closed')
    if (this.#state === state) this.#state = { kind: 'open', pool: openPool(this.#options) }
    return this.#pool()
  }
}

/** Loaded by the first call: most servers have no such tools. */
async function openPool(options: Required<ThreadOptions>): Promise<ToolPool> {
  const { ToolPool } = await import('../../../workers/tool-pool.ts')
  return new ToolPool(options)
}

/** A client that asks on and on must not fill the memory. */
const mostCalls = 1_000
