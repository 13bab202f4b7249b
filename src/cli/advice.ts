import { type McpError, ProtocolError, ServerGoneError, TimeoutError } from '../errors.ts'
import { ErrorCode } from '../protocol/error-codes.ts'

/** Says what to do about a failure in words of the command line; empty when its message does, or nothing is left to do. */
export function adviceFor(error: Error, isVerbose: boolean): string {
  const sentences = advices.get(error) ?? generalAdvice(error)
  return sentences.filter((sentence) => !(isVerbose && sentence.includes('--verbose'))).join(' ')
}

/** For what only the place where it failed knows. */
export function advise(error: McpError, sentences: readonly string[]): void {
  advices.set(error, sentences)
}

const advices = new WeakMap<Error, readonly string[]>()

function generalAdvice(error: Error): readonly string[] {
  if (error instanceof TimeoutError)
    return ['Give it longer with --timeout <ms>.', 'See what it says with --verbose.']
  if (error instanceof ServerGoneError) return ['See all it says with --verbose.']
  if (error instanceof ProtocolError) return protocolAdvice(error)
  switch (error.name) {
    case 'AuthorizationError':
      return ['Give it credentials with --header "Authorization: Bearer …".']
    case 'InvalidResultError':
      return ['Tell the author of the server.', 'See the answer with --verbose.']
    case 'UnsupportedVersionError':
      return ['troupe probe shows what was asked and answered.']
    case 'InputLoopExceededError':
      return ['It asks for input; troupe call --ask lets you give it.']
    default:
      return []
  }
}

function protocolAdvice({ code }: ProtocolError): readonly string[] {
  switch (code) {
    case ErrorCode.MissingRequiredClientCapability:
      return ['It wants to ask for something; troupe call --ask lets it ask you.']
    case ErrorCode.MethodNotFound:
      return ['The server has no such feature; troupe probe shows what it has.']
    default:
      return []
  }
}
