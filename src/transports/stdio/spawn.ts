import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { SpawnFailedError } from '../../errors.ts'
import { childEnv } from './child-env.ts'
import { execa } from './execa.ts'
import { explainSpawnFailure } from './explain-spawn-failure.ts'
import { findNulByte } from './nul-bytes.ts'
import { type ProcessGroup, posixGroup, windowsTree } from './process-group.ts'
import { resolveCommand } from './resolve-command.ts'
import type { StdioOptions } from './stdio-options.ts'

export interface ServerProcess {
  readonly group: ProcessGroup
  readonly stdin: Writable
  /** Raw bytes; a `data` listener must be there before the event loop turns. */
  readonly stdout: Readable
  readonly stderr: Readable
  /** Settles when the process was reaped; its pipes may still hold data. */
  readonly exited: Promise<ExitStatus>
}

export interface ExitStatus {
  readonly exitCode: number | null
  readonly signal: string | null
}

/**
 * Starts a server, without a shell and as the leader of its own process group. It runs when this returns; why it does
 * not is known only later.
 * @throws SpawnFailedError when it was not even tried.
 */
export function spawnServer(
  options: StdioOptions,
  target: string,
): ServerProcess | Promise<SpawnFailedError> {
  const { platform } = process
  const nul = findNulByte(options)
  if (nul) throw new SpawnFailedError({ command: target, reason: `${nul} holds a NUL byte` })
  const env = childEnv(options.env, options.inheritEnv === false ? {} : process.env, platform)
  const question = { command: options.command, cwd: resolve(options.cwd ?? '.'), env, platform }
  const resolved = resolveCommand(question, isFile)
  if ('refused' in resolved) throw new SpawnFailedError({ command: target, reason: resolved.refused })

  const child = execa(resolved.file, options.args ?? [], { ...ownStreams, cwd: question.cwd, env })
  // An `error` after the start is a kill that failed; an end of stdin is reported by the process's own end.
  child.on('error', () => undefined)
  child.stdin.on('error', () => undefined)
  if (child.pid === undefined) {
    return child.then(({ cause, code, originalMessage }) => {
      const failure = { code, message: originalMessage ?? 'the system gave no reason' }
      return new SpawnFailedError(
        { command: target, reason: explainSpawnFailure(failure, question) },
        { cause: cause instanceof Error ? withoutArguments(cause) : undefined },
      )
    })
  }
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null
  return {
    group: platform === 'win32' ? windowsTree(child.pid, hasExited, runQuietly) : posixGroup(child.pid),
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exited: new Promise((done) => child.once('exit', (exitCode, signal) => done({ exitCode, signal }))),
  }
}

/** Nothing of execa stands between us and node's own streams, and it neither reads, collects nor kills. */
const ownStreams = {
  stdio: 'pipe',
  detached: process.platform !== 'win32',
  extendEnv: false,
  buffer: false,
  encoding: 'buffer',
  lines: false,
  reject: false,
  cleanup: false,
  verbose: 'none',
} as const

/** The system's own error carries all arguments, and those may be secrets. */
function withoutArguments({ message, code, errno, syscall, path }: NodeJS.ErrnoException): Error {
  return Object.assign(new Error(message), { code, errno, syscall, path })
}

async function runQuietly(file: string, args: readonly string[]): Promise<void> {
  await execa(file, args, { stdio: 'ignore', reject: false })
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}
