import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { checkOptions, hook, milliseconds, object } from '../../check-options.ts'
import { type Clock, systemClock } from '../../clock.ts'
import { ConfigError } from '../../errors.ts'
import { withFileLock } from '../../files/file-lock.ts'
import { replaceFile } from '../../files/replace-file.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { heldTooLong } from './held-too-long.ts'
import type { TokenStore } from './token-store.ts'

export interface FileTokenStoreOptions {
  /** How long `locked` waits for other processes; milliseconds, default 60 000. */
  readonly lockTimeoutMs?: number
  readonly clock?: Clock
  /** Asked when there is something to seal or to open; default nothing, and values stand in the files as they are. */
  readonly sealing?: () => Promise<Sealing | undefined>
}

/** Makes of a value what may be seen by anybody who reads the disk, and back. */
export interface Sealing {
  seal(key: string, value: string): string
  /** Undefined for what was not sealed by it, for that key. */
  open(key: string, sealed: string): string | undefined
}

const version = 1

/**
 * Sign-ins that outlive the process: a file each, its owner's alone (0600), in a folder of its own (0700), which is neither read nor
 * written where others may write to it. Written whole or not at all. Processes that share the folder share the sign-ins, and lock them
 * against each other.
 */
export class FileTokenStore implements TokenStore {
  readonly folder: string
  readonly #clock: Clock
  readonly #lockTimeoutMs: number
  readonly #askSealing: () => Promise<Sealing | undefined>
  #sealing: Promise<Sealing | undefined> | undefined

  /** @throws ConfigError */
  constructor(folder: string, options: FileTokenStoreOptions = {}) {
    checkOptions(options, { lockTimeoutMs: milliseconds, clock: object, sealing: hook })
    const { lockTimeoutMs = 60_000, clock = systemClock, sealing = async () => undefined } = options
    this.folder = resolve(folder)
    this.#clock = clock
    this.#lockTimeoutMs = lockTimeoutMs
    this.#askSealing = sealing
  }

  /**
   * What was sealed and cannot be opened any more is a sign-in that is over. @throws ConfigError for a file that is none of ours, or a
   * folder where others may put theirs
   */
  async read(key: string): Promise<string | undefined> {
    await this.#check()
    const path = this.#path(key)
    const entry = await readEntry(path)
    if (entry === undefined) return undefined
    if (entry === 'broken') throw broken(path)
    if ('value' in entry) return entry.value
    return (await this.#sealed())?.open(key, entry.sealed)
  }

  async write(key: string, value: string): Promise<void> {
    await this.#prepare()
    const sealing = await this.#sealed()
    const kept = sealing ? { sealed: sealing.seal(key, value) } : { value }
    try {
      await replaceFile(this.#path(key), `${JSON.stringify({ version, key, ...kept })}\n`)
    } catch (failure) {
      throw this.#bad(`cannot be written to: ${thrownMessage(failure)}`, failure)
    }
  }

  async remove(key: string): Promise<void> {
    await rm(this.#path(key), { force: true })
  }

  /** Files that are broken are passed over. */
  async keys(): Promise<readonly string[]> {
    await this.#check()
    const names = await readdir(this.folder).catch((failure: NodeJS.ErrnoException) => {
      if (failure.code === 'ENOENT') return []
      throw this.#bad(`cannot be read: ${failure.message}`, failure)
    })
    const files = names.filter((name) => name.endsWith(extension)).sort()
    const entries = await Promise.all(files.map((name) => readEntry(join(this.folder, name))))
    return entries.flatMap((entry) => (entry === undefined || entry === 'broken' ? [] : [entry.key]))
  }

  async locked<T>(key: string, action: () => Promise<T>): Promise<T> {
    await this.#prepare()
    const timeoutMs = this.#lockTimeoutMs
    return withFileLock(`${this.#path(key)}.lock`, action, {
      clock: this.#clock,
      timeoutMs,
      heldTooLong: (holder) => heldTooLong(timeoutMs, holder),
    })
  }

  /** Asked once, but again after it failed. */
  #sealed(): Promise<Sealing | undefined> {
    this.#sealing ??= this.#askSealing().catch((failure) => {
      this.#sealing = undefined
      throw failure
    })
    return this.#sealing
  }

  /** Keys are URLs and the like: no names of files. */
  #path(key: string): string {
    const name = createHash('sha256').update(key).digest('hex').slice(0, 32)
    return join(this.folder, `${name}${extension}`)
  }

  async #prepare(): Promise<void> {
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 })
    } catch (failure) {
      throw this.#bad(`cannot be made: ${thrownMessage(failure)}`, failure)
    }
    await this.#check()
  }

  /** Who may write to the folder could put a sign-in of their own there. */
  async #check(): Promise<void> {
    const found = await stat(this.folder).catch((failure: NodeJS.ErrnoException) => {
      if (failure.code === 'ENOENT') return undefined
      throw this.#bad(`cannot be read: ${failure.message}`, failure)
    })
    if (!found || process.platform === 'win32') return
    if (isOfAnother(found.uid))
      throw this.#bad('belongs to another user, who may write to it; name a folder of your own')
    if (found.mode & 0o022)
      throw this.#bad('may be written by others than its owner; chmod 700 it, or name another folder')
  }

  #bad(reason: string, cause?: unknown): ConfigError {
    return new ConfigError({ path: [this.folder], reason }, cause === undefined ? undefined : { cause })
  }
}

/** What root has may be trusted, and root may go where it was sent. */
function isOfAnother(uid: number): boolean {
  const own = process.geteuid?.() ?? uid
  return own !== 0 && uid !== 0 && uid !== own
}

type Entry = { readonly key: string } & ({ readonly value: string } | { readonly sealed: string })

async function readEntry(path: string): Promise<Entry | 'broken' | undefined> {
  const text = await readFile(path, 'utf8').catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'ENOENT') return undefined
    throw new ConfigError({ path: [path], reason: `cannot be read: ${failure.message}` }, { cause: failure })
  })
  return text === undefined ? undefined : parse(text)
}

function parse(text: string): Entry | 'broken' {
  try {
    const entry: unknown = JSON.parse(text)
    if (!isObject(entry) || entry.version !== version || typeof entry.key !== 'string') return 'broken'
    const { key, value, sealed } = entry
    if (typeof value === 'string') return { key, value }
    return typeof sealed === 'string' ? { key, sealed } : 'broken'
  } catch {
    return 'broken'
  }
}

/** It may hold a secret all the same, and is not repeated. */
function broken(path: string): ConfigError {
  return new ConfigError({ path: [path], reason: 'is no stored sign-in; remove it, and sign in again' })
}

const extension = '.json'
