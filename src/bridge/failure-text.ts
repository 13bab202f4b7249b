import { McpError, ProtocolError } from '../errors.ts'
import { ErrorCode } from '../protocol/error-codes.ts'
import { cutText } from './cut-text.ts'
import { sentence } from './sentence.ts'

/** A peer's message may be of any length, and a model's patience is not. */
const mostChars = 4_000

/** A failure as a model reads it: what happened, and what it can do about it. `wasMade`: something of the call may have been sent. */
export function failureText(failure: unknown, wasMade = true): string {
  if (!(failure instanceof Error)) return 'The call failed for a reason that was not given.'
  const advice = adviceFor(failure).map((said) => (said === mayHaveRun && !wasMade ? nothingDone : said))
  return [sentence(happened(failure)), ...advice].join(' ')
}

function happened(failure: Error): string {
  if (!(failure instanceof ProtocolError)) return cutText(failure.message || failure.name, mostChars)
  const { code, message, data } = failure
  const details = data === undefined ? '' : ` (${dataText(data)})`
  return `The server refused the call with error ${code}: ${cutText(`${message}${details}`, mostChars)}`
}

function adviceFor(failure: Error): readonly string[] {
  if (failure instanceof ProtocolError) return [protocolAdvice(failure.code)]
  if (!(failure instanceof McpError)) return []
  return advices[failure.code] ?? []
}

const mayHaveRun = 'The call may have taken effect all the same: check that before you repeat it.'
const nothingDone = 'Nothing was done.'
const doWithout = 'Do without the tools of this server, and tell the user.'

/** By the `code` of every class of error. */
const advices: { readonly [code: string]: readonly string[] } = {
  TIMEOUT: [mayHaveRun, 'Ask for less at a time if you can.'],
  CANCELLED: [mayHaveRun],
  SERVER_GONE: [mayHaveRun, 'The server may come back.'],
  TRANSPORT_CLOSED: [mayHaveRun, doWithout],
  SPAWN_FAILED: [nothingDone, doWithout],
  INTERNAL: [mayHaveRun, 'It is no fault of yours: tell the user.'],
  INVALID_RESULT: [mayHaveRun, 'Its answer cannot be used; do without this tool if it happens again.'],
  MESSAGE_TOO_LARGE: ['The call was made. Ask for less.'],
  UNSUPPORTED_VERSION: [nothingDone, doWithout],
  INPUT_LOOP_EXCEEDED: ['The tool asks for more than it can be given here: tell the user.'],
  HTTP: [mayHaveRun, 'The server may be in trouble: try again later, or do without it.'],
  AUTHORIZATION: ['Nothing was done. Only the user can sign in: tell them.'],
  SERVER_DOWN: ['Nothing was done. Try again later, or do without the tools of this server.'],
  PROVIDER_FAILED: [mayHaveRun],
  CONFIG: ['Nothing was done. Mend what it names, and call again.'],
}

function protocolAdvice(code: number): string {
  switch (code) {
    case ErrorCode.InvalidParams:
      return 'Check the name of the tool, and its arguments against its parameters.'
    case ErrorCode.MethodNotFound:
      return 'The server has no tools: do without it.'
    case ErrorCode.UrlElicitationRequired:
      return 'The user has to open the page it names first: tell them.'
    default:
      return 'Do not repeat the call unchanged.'
  }
}

function dataText(data: unknown): string {
  try {
    return String(JSON.stringify(data))
  } catch {
    return 'details nested too deeply to be shown'
  }
}
