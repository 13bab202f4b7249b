import { processLedger } from '../../../workers/process-ledger.ts'
import { systemClock } from '../../clock.ts'
import { drain } from '../../transports/stdio/drain.ts'
import { spawnServer } from '../../transports/stdio/spawn.ts'
import { terminate } from '../../transports/stdio/terminate.ts'
import { KeptOutput } from './kept-output.ts'

export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: { readonly [name: string]: string }
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly keepBytes: number
  readonly maxOutputBytes: number
  readonly killGraceMs: number
}

export interface Ending {
  readonly exitCode: number | null
  readonly signal: string | null
  /** Why it was ended by us. */
  readonly endedFor: EndReason | undefined
  readonly stdout: string
  readonly stderr: string
}

export type EndReason = 'timeout' | 'output' | 'cancelled'

/** Runs a program to its end, and ends all that it started and left behind. @throws SpawnFailedError */
export async function runProgram(program: Program): Promise<Ending> {
  program.signal.throwIfAborted()
  const { command, args, cwd, env, killGraceMs } = program
  const spawned = spawnServer({ command, args, cwd, env, inheritEnv: false }, command)
  if (spawned instanceof Promise) throw await spawned
  const { group, stdin, stdout, stderr, exited } = spawned
  processLedger.add(group.id)
  try {
    stdin.end()
    const output = new KeptOutput(program.keepBytes)
    const errors = new KeptOutput(program.keepBytes)
    let end: (reason: EndReason) => void = () => {}
    const ended = new Promise<EndReason>((resolve) => {
      end = resolve
    })
    const keep = (kept: KeptOutput) => (chunk: Buffer) => {
      kept.push(chunk)
      if (output.length + errors.length > program.maxOutputBytes) end('output')
    }
    stdout.on('data', keep(output))
    stderr.on('data', keep(errors))
    const stopWatching = watch(program, end)
    const endedFor = await Promise.race([ended, exited.then(() => undefined)])
    stopWatching()
    // Also what a program that is done has left behind.
    await terminate(group, killGraceMs)
    await drain([stdout, stderr])
    return { ...(await exited), endedFor, stdout: output.text(), stderr: errors.text() }
  } finally {
    processLedger.remove(group.id)
  }
}

/** Calls `end` when the time is over, or nobody waits any more. Returns what stops that. */
function watch({ signal, timeoutMs }: Program, end: (reason: EndReason) => void): () => void {
  const timer = systemClock.setTimeout(() => end('timeout'), timeoutMs)
  const abort = () => end('cancelled')
  signal.addEventListener('abort', abort, { once: true })
  return () => {
    systemClock.clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}
