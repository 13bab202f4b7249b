import { isObject } from '../protocol/json-rpc.ts'

/** What is wrong with an option that must be a provider, or undefined. */
export function provider(value: unknown): string | undefined {
  const isProvider =
    isObject(value) && typeof value.toolsForLlm === 'function' && typeof value.executeToolCalls === 'function'
  return isProvider ? undefined : 'must be a provider: an object with toolsForLlm and executeToolCalls'
}
