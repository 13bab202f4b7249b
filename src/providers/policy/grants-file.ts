import { mkdir, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { checkOptions, hook } from '../../check-options.ts'
import { systemClock } from '../../clock.ts'
import { ConfigError } from '../../errors.ts'
import { withFileLock } from '../../files/file-lock.ts'
import { replaceFile } from '../../files/replace-file.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import { quietly } from '../../quietly.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { isTrustedOwner } from '../../trusted-owner.ts'
import { Grants, readGrants } from './grants.ts'
import type { Rule } from './rule.ts'
import { ruleKey } from './rule-key.ts'

export interface GrantsFileOptions {
  /** Told when it could not be written; what was granted is in force all the same, and written with the next grant. */
  readonly onWarn?: (message: string) => void
}

const version = 1
/** Thousands of grants; more than that is another file. */
const largestBytes = 4 * 2 ** 20
const lockTimeoutMs = 30_000

/**
 * A book of grants that outlives the process: read once, and written whenever something is granted, whole or not at all, for its
 * owner's eyes only (mode 0600). Grants that others wrote meanwhile are kept and taken over; what others took out stays out.
 *
 * ```ts
 * const file = await GrantsFile.open('/home/ann/.agent/grants.json')
 * const policy = new Policy({ provider, onAsk, grantsStore: file.grants })
 * ```
 */
export class GrantsFile implements AsyncDisposable {
  readonly path: string
  /** For `grantsStore` of any number of policies. */
  readonly grants: Grants
  readonly #warn: (message: string) => void
  readonly #stop: () => void
  /** All it ever held when it was looked at: what is gone from it since was taken out on purpose. */
  readonly #seen: Set<string>
  #written: Promise<void> = Promise.resolve()

  /** A file that is not there is an empty book. @throws ConfigError when it cannot be read or understood; it is left as it is */
  static async open(path: string, options: GrantsFileOptions = {}): Promise<GrantsFile> {
    checkOptions(options, { onWarn: hook })
    return new GrantsFile(path, await read(path), options)
  }

  private constructor(path: string, grants: readonly Rule[], options: GrantsFileOptions) {
    this.path = path
    this.grants = new Grants({ grants })
    this.#seen = new Set(grants.map(ruleKey))
    this.#warn = quietly(options.onWarn)
    this.#stop = this.grants.subscribe(() => this.#writeSoon())
  }

  /** Settles when everything granted so far is written, or could not be. */
  async flush(): Promise<void> {
    // What a write takes over from others is a change too.
    for (let last: unknown; last !== this.#written; await last) last = this.#written
  }

  /** Writes what is left, and nothing from then on. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop()
    await this.flush()
  }

  /** One write after the other. */
  #writeSoon(): void {
    this.#written = this.#written
      .then(() => this.#locked(() => this.#write()))
      .catch((failure: unknown) => this.#warn(`Grants were not saved: ${thrownMessage(failure)}`))
  }

  /** Nobody else reads and writes at the same time: one of the two would lose what it was told to remember. */
  async #locked(write: () => Promise<void>): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 })
    await withFileLock(`${this.path}.lock`, write, {
      clock: systemClock,
      timeoutMs: lockTimeoutMs,
      heldTooLong: (holder) => bad(this.path, `is being written by ${holder} for too long`),
    })
  }

  async #write(): Promise<void> {
    const found = await read(this.path)
    const known = new Set([...this.#seen, ...found.map(ruleKey)])
    const ours = this.grants.grants.filter((grant) => !known.has(ruleKey(grant)))
    const all = [...found, ...ours]
    if (ours.length > 0)
      await replaceFile(this.path, `${JSON.stringify({ version, grants: all }, undefined, 2)}\n`)
    for (const grant of all) this.#seen.add(ruleKey(grant))
    this.grants.remember(found)
  }
}

async function read(path: string): Promise<readonly Rule[]> {
  const text = await readText(path).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'ENOENT') return undefined
    if (failure instanceof ConfigError) throw failure
    throw bad(path, `cannot be read: ${failure.message}`, failure)
  })
  if (text === undefined) return []
  const content = parse(path, text)
  if (!isObject(content)) throw bad(path, 'must hold an object with version and grants')
  if (content.version !== version)
    throw bad(path, `has version ${JSON.stringify(content.version)}, and only ${version} is known here`)
  return readGrants(content.grants, [path, 'grants'])
}

async function readText(path: string): Promise<string> {
  const found = await stat(path)
  if (!found.isFile()) throw bad(path, 'is no file')
  if (found.size > largestBytes) throw bad(path, `is larger than ${largestBytes} bytes`)
  const isAnybodys = process.getuid !== undefined && (found.mode & 0o002) !== 0
  if (isAnybodys || !isTrustedOwner(found.uid))
    throw bad(path, 'can be changed by other users, who could grant what you would not; make it your own')
  return readFile(path, 'utf8')
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (failure) {
    throw bad(
      path,
      `is not JSON (${(failure as Error).message}); mend it, or move it away to begin anew`,
      failure,
    )
  }
}

function bad(path: string, reason: string, cause?: unknown): ConfigError {
  return new ConfigError({ path: [path], reason }, cause === undefined ? undefined : { cause })
}
