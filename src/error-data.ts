import * as errors from './errors.ts'
import { InternalError, McpError } from './errors.ts'

/** An error as plain data: what crosses a thread or stands in a snapshot. */
export interface ErrorData {
  readonly name: string
  readonly message: string
  readonly stack?: string
  /** The fields of its class: `code`, `exitCode`, `supported` … */
  readonly fields: { readonly [field: string]: unknown }
  readonly cause?: ErrorData
}

export function toErrorData(error: unknown): ErrorData {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), fields: {} }
  const { cause, ...fields } = error as Error & { cause?: unknown }
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    fields,
    ...(cause !== undefined && { cause: toErrorData(cause) }),
  }
}

/** The same error as an instance of its class again; one we do not know becomes the cause of an InternalError. */
export function fromErrorData(data: ErrorData): McpError {
  const error = revive(data)
  return error instanceof McpError ? error : new InternalError(data.message, { cause: error })
}

function revive(data: ErrorData): Error {
  const known: unknown = Object.hasOwn(errors, data.name) ? Reflect.get(errors, data.name) : undefined
  const prototype = typeof known === 'function' ? known.prototype : Error.prototype
  // A real Error object, so that inspectors print it as one; its constructor would recompute the message.
  const error = Object.setPrototypeOf(new Error(data.message), prototype) as Error
  define(error, 'name', data.name)
  define(error, 'stack', data.stack)
  if (data.cause) define(error, 'cause', revive(data.cause))
  return Object.assign(error, data.fields)
}

function define(error: Error, key: string, value: unknown): void {
  Object.defineProperty(error, key, { value, enumerable: false, configurable: true, writable: true })
}
