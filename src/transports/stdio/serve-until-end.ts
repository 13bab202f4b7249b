import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { type McpError, ServerGoneError, TransportClosedError } from '../../errors.ts'
import { settlesWithin } from '../../settles-within.ts'
import type { TransportEvents } from '../transport.ts'
import { drain } from './drain.ts'
import type { MessageWriter } from './message-writer.ts'
import { readMessages } from './read-messages.ts'
import type { ExitStatus, ServerProcess } from './spawn.ts'
import { StderrRing } from './stderr-ring.ts'
import { terminate } from './terminate.ts'
import type { Valve } from './valve.ts'

export interface ServedProcess {
  readonly server: ServerProcess
  readonly writer: MessageWriter
  readonly stdout: Valve
  readonly target: string
  readonly killGraceMs: number
  readonly stderrLines: number
  readonly maxMessageBytes: number
}

/**
 * The life of a server from its start to the end of the last process of its group, as `events` hears of it. `closing`
 * ends it. Resolves after `closed` was called.
 */
export async function serveUntilEnd(
  served: ServedProcess,
  events: TransportEvents,
  closing: AbortSignal,
): Promise<void> {
  const { server, killGraceMs } = served
  const { group, stdout, stderr, exited } = server
  events.spawned(group.id)
  const messages = readMessages(events, served.maxMessageBytes)
  const complaints = new StderrRing(served.stderrLines, (line) => events.stderr(line))
  stdout.on('data', (chunk: Buffer) => messages.push(chunk))
  stderr.on('data', (chunk: Buffer) => complaints.push(chunk))

  const end = await firstEnd(server, closing)
  // What it wrote before its end is bounded, and holds answers.
  served.stdout.release()
  const wasStopped = end !== 'exited' && (await stop(served, end === 'asked' ? killGraceMs : shortGraceMs))
  // What a dead server left behind serves nobody, may hold its stdout open, and keeps the calls in flight waiting.
  const restGraceMs = end === 'asked' ? killGraceMs : Math.min(killGraceMs, shortGraceMs)
  await Promise.all([terminate(group, restGraceMs), drain([stdout, stderr])])
  messages.end()
  complaints.end()
  const exit = (await settlesWithin(exited, unreapedMs)) ? await exited : unreaped

  events.reaped(group.id)
  events.closed(closing.aborted ? undefined : failure(served, exit, complaints.tail(), wasStopped))
}

/** The end of stdout is an end too: nothing can be answered any more. */
function firstEnd(
  { exited, stdout }: ServerProcess,
  closing: AbortSignal,
): Promise<'asked' | 'exited' | 'mute'> {
  const aborted = closing.aborted ? Promise.resolve() : once(closing, 'abort')
  const muted = finished(stdout).catch(() => undefined)
  return Promise.race([
    aborted.then(() => 'asked' as const),
    exited.then(() => 'exited' as const),
    muted.then(() => 'mute' as const),
  ])
}

/** Ends stdin, which a server takes as the wish to exit, and kills what does not. Says whether that was needed. */
async function stop({ server, writer, killGraceMs }: ServedProcess, graceMs: number): Promise<boolean> {
  writer.end()
  return !(await settlesWithin(server.exited, graceMs)) && terminate(server.group, killGraceMs)
}

function failure(
  { target }: ServedProcess,
  exit: ExitStatus,
  stderrTail: readonly string[],
  wasStopped: boolean,
): McpError {
  // How it died would be our own doing.
  if (wasStopped)
    return new TransportClosedError(`${target} closed its stdout but went on running; it was stopped`)
  return new ServerGoneError({ command: target, ...exit, stderrTail })
}

/** For whoever is as good as dead: a process that closed its stdout is mostly about to exit, an orphan has no use. */
const shortGraceMs = 200
/** A process that not even SIGKILL ends, for it hangs in the system, must not hang us. */
const unreapedMs = 1000
const unreaped: ExitStatus = { exitCode: null, signal: 'SIGKILL' }
