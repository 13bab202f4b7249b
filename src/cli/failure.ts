import { toErrorData } from '../error-data.ts'
import { McpError, ProtocolError, ServerGoneError, TimeoutError } from '../errors.ts'
import { adviceFor } from './advice.ts'
import { Interruption, type Io } from './io.ts'
import { jsonText } from './text/json-text.ts'
import { printable } from './text/printable.ts'
import { styleFor } from './text/style.ts'
import { wrap } from './text/wrap.ts'

/** Tells of a failure on stderr: one line of JSON for a program, else what happened and what to do. */
export function reportFailure(error: unknown, io: Io, how: { json: boolean; verbose: boolean }): void {
  if (how.json) return io.err.write(`${jsonText({ error: errorDocument(error) })}\n`)
  // Who pressed ^C knows.
  if (error instanceof Interruption) return
  const style = styleFor(io.err, io.env)
  const lines = [`${style.red('error:')} ${printable(messageOf(error))}`]
  if (error instanceof ProtocolError && error.data !== undefined)
    lines.push(style.dim(`  data: ${jsonText(error.data)}`))
  if (error instanceof ServerGoneError && error.stderrTail.length > 1)
    lines.push(
      'The last it wrote to stderr:',
      ...tail(error.stderrTail).map((line) => style.dim(`  | ${line}`)),
    )
  const advice = error instanceof Error && adviceFor(error, how.verbose)
  if (advice) lines.push(advice)
  if (!(error instanceof McpError)) lines.push(...faultLines(error, how.verbose))
  io.err.write(`${wrap(lines.join('\n'), io.err.columns)}\n`)
}

/** An error as programs read it: its own fields beside name, code and message. */
export function errorDocument(error: unknown): object {
  const { name, message, fields } = toErrorData(error)
  const code =
    error instanceof Interruption ? 'INTERRUPTED' : error instanceof McpError ? error.code : 'FAULT'
  return { name, code, message, ...fields }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ProtocolError) return `the server answered with error ${error.code}: ${error.message}`
  // What follows says the same, in more lines.
  if (error instanceof ServerGoneError && error.stderrTail.length > 1)
    return error.message.replace(/; its last words: .*$/s, '')
  // It names an option of the library; ours is named by the advice.
  if (error instanceof TimeoutError) return error.message.replace(/ \(raise \w+ if it needs longer\)$/, '')
  return error.message
}

function tail(lines: readonly string[]): string[] {
  const shown = lines.slice(-shownLines).map(printable)
  const left = lines.length - shown.length
  return left > 0 ? [`… ${left} more`, ...shown] : shown
}

function faultLines(error: unknown, verbose: boolean): string[] {
  const stack = verbose && error instanceof Error ? [error.stack ?? ''] : []
  return [
    ...stack,
    `This is a fault of troupe: please report it${verbose ? '' : ', with what --verbose shows'}.`,
  ]
}

const shownLines = 10
