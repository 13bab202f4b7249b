import { AsyncLocalStorage } from 'node:async_hooks'

interface RunningHook {
  readonly owner: InsideHooks
  isOver: boolean
}

/** The hooks that run, seen from inside them. */
const running = new AsyncLocalStorage<readonly RunningHook[]>()

/** Knows whether code runs inside a hook of one policy, where a call through that policy would wait for itself. */
export class InsideHooks {
  /** Only while the hook has not returned: what it started and left behind may call again. */
  get isInside(): boolean {
    return running.getStore()?.some(({ owner, isOver }) => owner === this && !isOver) ?? false
  }

  async run<Value>(hook: () => Value | Promise<Value>): Promise<Value> {
    const entry: RunningHook = { owner: this, isOver: false }
    try {
      return await running.run([...(running.getStore() ?? []), entry], async () => hook())
    } finally {
      entry.isOver = true
    }
  }
}
