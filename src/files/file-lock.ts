import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readFile, readlink, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Clock } from '../clock.ts'
import { ConfigError } from '../errors.ts'
import { isObject } from '../protocol/json-rpc.ts'
import { thrownMessage } from '../thrown-message.ts'

export interface FileLockOptions {
  readonly clock: Clock
  /** How long to wait for other holders. */
  readonly timeoutMs: number
  /** What waiting longer fails with; `holder` says who has it, and how to end that. */
  readonly heldTooLong: (holder: string) => Error
}

/**
 * Runs `action` while nobody else does who locks the same path, in whatever process: a file that can be made only once says who. A holder
 * touches it while it lives; that of a dead one is taken over: at once where it is known to be dead, else when it was not touched for 10 s.
 */
export async function withFileLock<T>(
  path: string,
  action: () => Promise<T>,
  options: FileLockOptions,
): Promise<T> {
  const release = await acquire(path, options)
  try {
    return await action()
  } finally {
    await release()
  }
}

/** What a lock says, and a sign that changes whenever it is touched. */
interface Found {
  readonly text: string
  readonly sign: string
}

async function acquire(
  path: string,
  { clock, timeoutMs, heldTooLong }: FileLockOptions,
): Promise<() => Promise<void>> {
  const machine = await machineId()
  const text = JSON.stringify({ id: randomUUID(), pid: process.pid, machine })
  const startMs = clock.now()
  let sign = ''
  let sinceMs = startMs
  for (;;) {
    const file = await create(path, text)
    if (file) return hold(path, file, text, clock)
    const found = await look(path)
    if (!found) continue
    if (found.sign !== sign) [sign, sinceMs] = [found.sign, clock.now()]
    const isStale = clock.now() - sinceMs >= staleMs || isDead(found.text, machine)
    if (isStale && (await clear(path, found))) continue
    if (clock.now() - startMs >= timeoutMs)
      throw heldTooLong(`another process (or remove ${path} and what is named like it)`)
    await new Promise<void>((resolve) => clock.setTimeout(resolve, pollMs))
  }
}

/** Undefined where there is one already. */
async function create(path: string, text: string): Promise<FileHandle | undefined> {
  let file: FileHandle
  try {
    file = await open(path, 'wx', 0o600)
  } catch (failure) {
    if (codeOf(failure) === 'EEXIST') return undefined
    throw new ConfigError(
      { path: [path], reason: `cannot be made: ${thrownMessage(failure)}` },
      { cause: failure },
    )
  }
  try {
    await file.writeFile(text)
    return file
  } catch (failure) {
    await file.close()
    await rm(path, { force: true })
    throw failure
  }
}

/** Returns what ends it. Another's lock, who took this for dead, is left alone. */
function hold(path: string, file: FileHandle, text: string, clock: Clock): () => Promise<void> {
  let beat: unknown
  const touch = () => {
    const now = new Date()
    void file.utimes(now, now).catch(() => {})
    beat = clock.setTimeout(touch, beatMs)
  }
  beat = clock.setTimeout(touch, beatMs)
  return async () => {
    clock.clearTimeout(beat)
    await file.close()
    if ((await look(path))?.text === text) await rm(path, { force: true })
  }
}

async function look(path: string): Promise<Found | undefined> {
  try {
    const [text, { mtimeMs, ino }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
    return { text, sign: `${ino} ${mtimeMs} ${text}` }
  } catch (failure) {
    if (codeOf(failure) === 'ENOENT') return undefined
    throw failure
  }
}

/** Only one may take a given dead lock away: one that is slow would take away the next holder's. */
async function clear(path: string, found: Found): Promise<boolean> {
  const claim = `${path}.${idOf(found.text)}`
  const file = await create(claim, '')
  if (!file) return false
  try {
    if ((await look(path))?.sign === found.sign) await rm(path, { force: true })
  } finally {
    await file.close()
    await rm(claim, { force: true })
  }
  return true
}

function isDead(text: string, machine: string): boolean {
  const holder = read(text)
  if (holder?.machine !== machine || !Number.isSafeInteger(holder.pid)) return false
  try {
    process.kill(Number(holder.pid), 0)
    return false
  } catch (failure) {
    return codeOf(failure) === 'ESRCH'
  }
}

/** A lock that was made and not written to has none. */
function idOf(text: string): string {
  const { id } = read(text) ?? {}
  return typeof id === 'string' && /^[\w-]{1,40}$/.test(id) ? id : 'nobody'
}

function read(text: string): { readonly [key: string]: unknown } | undefined {
  try {
    const holder: unknown = JSON.parse(text)
    return isObject(holder) ? holder : undefined
  } catch {
    return undefined
  }
}

/** Where a process id means a process: containers may share a folder and a name. */
async function machineId(): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return `${hostname()} ${namespace}`
}

function codeOf(failure: unknown): unknown {
  return failure instanceof Error && 'code' in failure ? failure.code : undefined
}

const pollMs = 20
const beatMs = 2_000
const staleMs = 10_000
