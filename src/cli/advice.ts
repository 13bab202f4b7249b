import { type McpError, ProtocolError, ServerGoneError, TimeoutError } from '../errors.ts'
import { ErrorCode } from '../protocol/error-codes.ts'

/** Says what to do about a failure in words of the command line; undefined when its message does. */
export function adviceFor(error: Error): string | undefined {
  return advices.get(error) ?? advice(error)
}

/** For what only the place where it failed knows. */
export function advise(error: McpError, text: string): void {
  advices.set(error, text)
}

const advices = new WeakMap<Error, string>()

function advice(error: Error): string | undefined {
  if (error instanceof TimeoutError)
    return 'Give it longer with --timeout <ms>, or see what it says with --verbose.'
  if (error instanceof ServerGoneError) return 'See all it says with --verbose.'
  if (error instanceof ProtocolError) return protocolAdvice(error)
  switch (error.name) {
    case 'InvalidResultError':
      return 'This is for the author of the server; --verbose shows the answer.'
    case 'UnsupportedVersionError':
      return 'troupe probe shows what was asked and answered.'
    case 'InputLoopExceededError':
      return 'It asks for input, which troupe cannot give yet.'
    default:
      return undefined
  }
}

function protocolAdvice({ code }: ProtocolError): string | undefined {
  switch (code) {
    case ErrorCode.MissingRequiredClientCapability:
      return 'It wants to ask for something, which troupe cannot answer yet.'
    case ErrorCode.MethodNotFound:
      return 'The server has no such feature; troupe probe shows what it has.'
    default:
      return undefined
  }
}
