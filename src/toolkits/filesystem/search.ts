import type { LineMatch } from '../../../workers/search-worker.ts'
import { systemClock } from '../../clock.ts'
import { hasCode, Refusal } from '../root/refusal.ts'
import { readBytes } from './file-bytes.ts'
import type { Files } from './files.ts'
import type { GlobPattern } from './glob-pattern.ts'
import { isPassedOver, type TreeEntry, treeOf } from './tree.ts'

export interface Search {
  readonly path: string
  readonly expression: RegExp
  readonly filter: GlobPattern | undefined
  readonly signal: AbortSignal
}

export interface Found {
  readonly matches: readonly FoundLine[]
  readonly end: 'complete' | 'full' | 'timeout'
  /** Files that are too large, or may not be read. */
  readonly skipped: number
}

export interface FoundLine extends LineMatch {
  readonly path: string
}

/**
 * Reads here, matches in another thread: an expression can take longer than anybody lives, and only a thread can be stopped then. When
 * the time is over the thread is ended, and what was found so far is the answer.
 */
export async function search(files: Files, wanted: Search): Promise<Found> {
  const timeout = new AbortController()
  const timer = systemClock.setTimeout(() => timeout.abort(), files.grepTimeoutMs)
  const signal = AbortSignal.any([wanted.signal, timeout.signal])
  const matching = new Matching(files, wanted.expression, signal)
  try {
    const isComplete = (await searchAt(files, wanted, matching)) && (await matching.flush())
    return matching.found(isComplete ? 'complete' : 'full')
  } catch (error) {
    if (!timeout.signal.aborted || wanted.signal.aborted) throw error
    return matching.found('timeout')
  } finally {
    systemClock.clearTimeout(timer)
  }
}

/** False when no more is wanted. */
async function searchAt(files: Files, { path, filter }: Search, matching: Matching): Promise<boolean> {
  const start = files.root.segments(path)
  const isFile = await files.root.at(path, { follows: true }, async ({ directory, name, stats }) => {
    if (name === undefined || !stats || stats.isDirectory()) return false
    await matching.add(start.join('/'), await readBytes({ directory, name }, files.maxFileBytes))
    return true
  })
  if (isFile) return true
  return files.root.within(path, async (directory) => {
    const { signal } = matching
    for await (const entry of treeOf(directory, { signal, enters: (inner) => !isPassedOver(inner) })) {
      if (entry.kind !== 'file' || filter?.matches(entry.path) === false) continue
      const bytes = await readableBytes(entry, files.maxFileBytes)
      if (!bytes) matching.skipped += 1
      else if (!(await matching.add([...start, ...entry.path].join('/'), bytes))) return false
    }
    return true
  })
}

async function readableBytes(entry: TreeEntry, maxBytes: number): Promise<Bytes | undefined> {
  try {
    return await readBytes(entry, maxBytes)
  } catch (error) {
    if (error instanceof Refusal || hasCode(error, 'EACCES', 'EPERM', 'ENOENT')) return undefined
    throw error
  }
}

type Bytes = Uint8Array<ArrayBuffer>

/** Hands files to the thread, many small ones at once. */
class Matching {
  readonly signal: AbortSignal
  skipped = 0
  readonly #most: number
  readonly #expression: RegExp
  readonly #lines: FoundLine[] = []
  #batch: { readonly path: string; readonly bytes: Bytes }[] = []
  #size = 0

  constructor({ maxEntries }: Files, expression: RegExp, signal: AbortSignal) {
    this.#most = maxEntries
    this.#expression = expression
    this.signal = signal
  }

  /** False when no more is wanted. */
  async add(path: string, bytes: Bytes): Promise<boolean> {
    this.#batch.push({ path, bytes })
    this.#size += bytes.length
    return this.#size < batchBytes && this.#batch.length < batchFiles ? true : this.flush()
  }

  async flush(): Promise<boolean> {
    const batch = this.#batch
    this.#batch = []
    this.#size = 0
    if (batch.length === 0) return true
    const { source, flags } = this.#expression
    // One more than is shown tells that there is more.
    const most = this.#most - this.#lines.length + 1
    const { runSearch } = await import('../../../workers/search-pool.ts')
    const task = { source, flags, most, files: batch.map(({ bytes }) => bytes) }
    for (const { file, ...match } of await runSearch(task, this.signal))
      this.#lines.push({ path: batch[file]?.path ?? '', ...match })
    return this.#lines.length <= this.#most
  }

  found(end: Found['end']): Found {
    return { matches: this.#lines.slice(0, this.#most), end, skipped: this.skipped }
  }
}

const batchBytes = 2 ** 20
const batchFiles = 64
