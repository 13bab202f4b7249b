import type { Provider } from '../bridge/provider.ts'
import { isObject } from '../protocol/json-rpc.ts'

/** What is wrong with an option that must be a provider, or undefined. */
export function provider(value: unknown): string | undefined {
  return isProvider(value) ? undefined : 'must be a provider: an object with toolsForLlm and executeToolCalls'
}

export function isProvider(value: unknown): value is Provider {
  return (
    isObject(value) && typeof value.toolsForLlm === 'function' && typeof value.executeToolCalls === 'function'
  )
}
