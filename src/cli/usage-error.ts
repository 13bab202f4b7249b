import { McpError } from '../errors.ts'

/** The command line was wrong. The message says how to write it; further lines are examples. */
export class UsageError extends McpError {
  readonly code = 'USAGE'

  constructor(message: string, options?: ErrorOptions) {
    super('UsageError', message, options)
  }
}
