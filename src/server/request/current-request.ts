import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestContext } from './request-context.ts'

/** The request that the calling code works for; undefined outside of handlers. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore()
}

/** Runs a handler for a request. */
export function within<Value>(context: RequestContext, run: () => Value): Value {
  return storage.run(context, run)
}

/** One of the process: a toolkit that was loaded by its name may have a copy of this package of its own. */
const storage = sharedStorage()

function sharedStorage(): AsyncLocalStorage<RequestContext> {
  const key = Symbol.for('mcp-troupe/current-request')
  const there: unknown = Reflect.get(globalThis, key)
  if (there instanceof AsyncLocalStorage) return there
  const made = new AsyncLocalStorage<RequestContext>()
  Reflect.set(globalThis, key, made)
  return made
}
