import type { HttpError, McpError } from '../../src/errors.ts'

/**
 * The status of an HttpError, undefined for any other failure. By its code and not its class: a wire is loaded when it is first
 * wanted, and run from sources that may bring a second copy of every class.
 */
export function httpStatusOf(failure: McpError): number | undefined {
  return failure.code === 'HTTP' ? (failure as HttpError).status : undefined
}
