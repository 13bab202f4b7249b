import { McpError } from '../errors.ts'

/** A call was not made: rules, or the person at the terminal, did not let it through. */
export class CallRefusedError extends McpError {
  readonly code = 'CALL_REFUSED'
  /** As rules name it. */
  readonly tool: string

  constructor(details: { tool: string; reason: string }, options?: ErrorOptions) {
    super('CallRefusedError', `${details.tool} was not called: ${details.reason}`, options)
    this.tool = details.tool
  }
}
