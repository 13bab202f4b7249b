import type { Readable, Writable } from 'node:stream'
import { type Check, checkOptions, milliseconds, object, wholeNumber } from '../../check-options.ts'
import { settlesWithin } from '../../settles-within.ts'
import { oversizeCallId } from '../../transports/stdio/oversize-id.ts'
import { LineSplitter } from '../../transports/stdio/split-lines.ts'
import type { McpServer } from '../server.ts'
import { Conversation } from './conversation.ts'
import { ignoreErrors } from './ignore-errors.ts'
import { MessageOutput } from './message-output.ts'
import { reserveStdout } from './reserve-stdout.ts'

/** Times in ms. */
export interface ServeStdioOptions {
  /** Default `process.stdin` and `process.stdout`; stdout carries the protocol and nothing else: what other code writes there goes to stderr. */
  readonly input?: Readable
  readonly output?: Writable
  /** A longer message is refused; default 64 MiB. */
  readonly maxMessageBytes?: number
  /** What is under way when the client leaves has so long to be answered; default 2000. Then it is aborted. */
  readonly endGraceMs?: number
  /** Ends it, as if the client had left. */
  readonly signal?: AbortSignal
}

/**
 * Serves one client over stdin and stdout, of whatever era. Resolves when the client has left and what it asked is answered; then a
 * program that holds nothing else open ends. Whatever the client does, it does not reject. @throws ConfigError
 */
export async function serveStdio(server: McpServer, options: ServeStdioOptions = {}): Promise<void> {
  checkOptions(options, checks)
  const { input = process.stdin, output = process.stdout, signal } = options
  const { maxMessageBytes = 64 * 1024 * 1024, endGraceMs = 2_000 } = options
  const stdout = output === process.stdout ? reserveStdout() : undefined
  const writer = new MessageOutput(output, input, stdout?.write)
  const conversation = new Conversation(server.dispatcher, writer)
  const lines = new LineSplitter({
    maxBytes: maxMessageBytes,
    onLine: (text) => conversation.receive(text),
    onOversize: (head, tail) => conversation.refuseLarge(oversizeCallId(head, tail), maxMessageBytes),
  })
  ignoreErrors(input)
  const read = (chunk: Buffer) => lines.push(chunk)
  input.on('data', read)
  // It may be paused since the client before left.
  input.resume()
  const end = await ended(input, writer, signal)
  input.off('data', read)
  // Else it keeps the process alive, and the client's messages coming.
  input.pause()
  if (end === 'left') lines.end()
  else conversation.abort()
  conversation.stop()
  await settlesWithin(conversation.settled(), endGraceMs)
  conversation.abort()
  writer.close()
  stdout?.release()
}

/** `left`: it may still read what it asked for. `gone`: nobody reads any more. */
function ended(
  input: Readable,
  writer: MessageOutput,
  signal: AbortSignal | undefined,
): Promise<'left' | 'gone'> {
  return new Promise((resolve) => {
    const end = (how: 'left' | 'gone') => {
      signal?.removeEventListener('abort', leave)
      for (const event of lastEvents) input.off(event, leave)
      stay()
      resolve(how)
    }
    const leave = () => end('left')
    const stay = writer.onGone(() => end('gone'))
    for (const event of lastEvents) input.on(event, leave)
    if (signal?.aborted) leave()
    else signal?.addEventListener('abort', leave)
  })
}

const lastEvents = ['end', 'close', 'error']

const checks: { readonly [option in keyof Required<ServeStdioOptions>]: Check } = {
  input: object,
  output: object,
  maxMessageBytes: wholeNumber,
  endGraceMs: milliseconds,
  signal: (value) => (value instanceof AbortSignal ? undefined : 'must be an AbortSignal'),
}
