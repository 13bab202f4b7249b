import type { ErrorData } from './error-data.ts'
import { isObject } from './protocol/json-rpc.ts'

/** A failure in which some texts are hidden, wherever it quotes them: what a server said last may be its own password. */
export function hideInError(failure: ErrorData, hide: (text: string) => string): ErrorData {
  const { message, stack, fields, cause } = failure
  return {
    ...failure,
    message: hide(message),
    ...(stack !== undefined && { stack: hide(stack) }),
    fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, hidden(value, hide)])),
    ...(cause && { cause: hideInError(cause, hide) }),
  }
}

function hidden(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value)
  if (Array.isArray(value)) return value.map((item) => hidden(item, hide))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hidden(member, hide)]))
}
