import { thrownMessage } from '../../thrown-message.ts'

/** A host whose bookkeeping throws, or rejects, costs nobody a lock; it is told to `warn`. */
export function tellHook<Value>(
  name: string,
  hook: ((value: Value) => unknown) | undefined,
  value: Value,
  warn: (message: string) => void,
): void {
  const failed = (error: unknown) => warn(`${name} threw: ${thrownMessage(error)}`)
  try {
    void Promise.resolve(hook?.(value)).catch(failed)
  } catch (error) {
    failed(error)
  }
}
