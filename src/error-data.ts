import * as errors from './errors.ts'
import { InternalError, McpError } from './errors.ts'
import { thrownMessage } from './thrown-message.ts'

/** An error as plain data: what crosses a thread or stands in a snapshot. */
export interface ErrorData {
  readonly name: string
  readonly message: string
  readonly stack?: string
  /** The fields of its class: `code`, `exitCode`, `supported` … */
  readonly fields: { readonly [field: string]: unknown }
  readonly cause?: ErrorData
}

/** Causes of causes beyond this many say nothing more, and may go round in circles. */
const mostCauses = 8

/** Never throws, whatever was thrown. */
export function toErrorData(error: unknown, causes = mostCauses): ErrorData {
  try {
    if (error instanceof Error) return read(error, causes)
  } catch {
    // It cannot be read.
  }
  return { name: 'Error', message: thrownMessage(error), fields: {} }
}

function read(error: Error & { cause?: unknown }, causes: number): ErrorData {
  const { cause, ...fields } = error
  return {
    name: error.name,
    message: thrownMessage(error),
    stack: error.stack,
    fields: error instanceof McpError ? fields : plain(fields),
    ...(cause !== undefined && causes > 0 && { cause: toErrorData(cause, causes - 1) }),
  }
}

/** Errors of others may carry anything, also what cannot be sent and what should not be: sockets, requests, arguments. */
function plain(fields: { readonly [field: string]: unknown }): { readonly [field: string]: unknown } {
  const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isPlain(value)))
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
