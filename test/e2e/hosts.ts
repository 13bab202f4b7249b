import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { pathOf } from './harness.ts'
import { Heard } from './heard.ts'

export interface Host {
  readonly process: ChildProcess
  readonly stdout: Heard<string>
  readonly stderr: Heard<string>
  /** How it ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>
}

/** Runs a program of test/fixtures/hosts, with what is to be imported before it; killed at the end of the test if it still runs. */
export function startHost(name: string, args: readonly string[], before: readonly string[] = []): Host {
  const imports = ['tsx', new URL('../setup/tsx-in-threads.mjs', import.meta.url).href, ...before]
  const child = spawn(
    process.execPath,
    [...imports.flatMap((module) => ['--import', module]), pathOf(`../fixtures/hosts/${name}.ts`), ...args],
    { cwd: pathOf('../..'), stdio: ['ignore', 'pipe', 'pipe'] },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const stdout = new Heard<string>()
  const stderr = new Heard<string>()
  createInterface({ input: child.stdout }).on('line', stdout.hear)
  createInterface({ input: child.stderr }).on('line', stderr.hear)
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  return { process: child, stdout, stderr, ended }
}

export interface Tether {
  readonly path: string
  /** The server came up; `gone` settles when its process is gone. */
  readonly held: Promise<{ readonly pid: number; readonly gone: Promise<unknown> }>
}

/** Where the fixture `tether` connects to. What is still tied to it at the end of the test is killed. */
export async function tether(): Promise<Tether> {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-'))
  const path = join(folder, 'socket')
  const listener = createServer()
  const held = (once(listener, 'connection') as Promise<[Socket]>).then(async ([socket]) => {
    const gone = once(socket, 'close')
    const [pid] = await once(socket, 'data')
    onGone.push(() => socket.destroyed || process.kill(Number(pid), 'SIGKILL'))
    return { pid: Number(pid), gone }
  })
  const onGone: (() => unknown)[] = []
  listener.listen(path)
  await once(listener, 'listening')
  onTestFinished(() => {
    for (const kill of onGone) kill()
    listener.close()
    rmSync(folder, { recursive: true })
  })
  return { path, held }
}
